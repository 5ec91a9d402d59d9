import { MixlabError, quoted, suggest } from '../../errors.ts'
import type { NamedTensor } from '../safetensors.ts'

/** How the names of the first block begin in the sources that are known, behind what a wrapper put in front. */
const FIRST_BLOCK =
  /^(|.*?[./])(?:blocks\.0\.|encoder\.layer\.0\.|layers\.0\.fn\.|MixerBlock_0\/|Transformer\/encoderblock_0\/)/

/** What torch.compile and wrappers for many machines or little memory put into names, wherever they stand. */
const WRAPPERS = /(?<=^|\.)(?:_orig_mod|_fsdp_wrapped_module|_checkpoint_wrapped_module)\./g

/** What stands in front of all names of models whose blocks are called otherwise. */
const COMMON = /^(?:module|model|backbone|net|network)\./

/**
 * Tensors without what stands in front of all names of one model, such as `module.` or `backbone.`, and without what
 * wrappers put between; heads may stand beside it. Of several models in one file that of `wanted`. Throws MixlabError `weights` where it is not clear which.
 */
export function withoutPrefix(given: NamedTensor[], wanted: string | undefined, source: string): NamedTensor[] {
  const fail = (what: string) => new MixlabError('weights', source, what)
  const tensors = given.map((tensor) => ({ ...tensor, name: tensor.name.replace(WRAPPERS, '') }))
  const prefixes = [...new Set(tensors.flatMap(({ name }) => FIRST_BLOCK.exec(name)?.[1] ?? []))]
  if (wanted !== undefined && !prefixes.includes(wanted))
    throw fail(`no first block behind the prefix ${quoted(wanted)}${suggest(wanted, prefixes)}`)
  if (wanted === undefined && prefixes.length > 1 && !prefixes.includes(''))
    throw fail(`has ${prefixes.length} models, behind ${prefixes.map(quoted).join(', ')}; it takes one (--prefix)`)
  const prefix = wanted ?? (prefixes.includes('') ? '' : (prefixes[0] ?? ''))
  if (prefix === '') return prefixes.length === 0 ? withoutCommon(tensors) : tensors
  const others = prefixes.filter((other) => !prefix.startsWith(other))
  const parts = [...prefix.matchAll(/[./]/g)].map(({ index }) => prefix.slice(0, index + 1)).reverse()
  const bare = (name: string) => name.slice(parts.find((part) => name.startsWith(part))?.length ?? 0)
  const own = tensors.filter(({ name }) => !others.some((other) => name.startsWith(other)))
  const found = own.map((tensor) => ({ ...tensor, name: bare(tensor.name) }))
  const seen = new Set<string>()
  const twice = found.find(({ name }) => seen.size === seen.add(name).size)
  if (twice) throw fail(`has ${quoted(twice.name)} twice, with and without ${quoted(prefix)}`)
  return found
}

function withoutCommon(tensors: NamedTensor[]): NamedTensor[] {
  const [front] = COMMON.exec(tensors[0]?.name ?? '') ?? []
  if (front === undefined || !tensors.every(({ name }) => name.startsWith(front))) return tensors
  return withoutCommon(tensors.map((tensor) => ({ ...tensor, name: tensor.name.slice(front.length) })))
}
