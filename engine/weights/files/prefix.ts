import { MixlabError, quoted, suggest } from '../../errors.ts'
import type { NamedTensor } from '../safetensors.ts'
import { leftText, listedText, namesText } from './left.ts'

/** How the names of the first block begin in the sources that are known, behind what a wrapper put in front. */
const FIRST_BLOCK =
  /^(|.*?[./])(?:blocks\.0\.|stages\.0\.0\.repmlp_block\.|encoder\.layer\.0\.|layers\.0\.fn\.|MixerBlock_0\/|Transformer\/encoderblock_0\/)/

/** What torch.compile and wrappers for many machines or little memory put into names, wherever they stand. */
const WRAPPERS = /(?<=^|\.)(?:_orig_mod|_fsdp_wrapped_module|_checkpoint_wrapped_module)\./g

/** What stands in front of all names of models whose blocks are called otherwise. */
const COMMON = /^(?:module|model|backbone|net|network)\./

/** Where the moments of an optimizer are, which have the names of its parameters. */
const MOMENTS = /(?:^|[./])(?:optimizer\w*|opt_state\w*|mu|nu|exp_avg\w*|momentum\w*)[./]/

/** What training keeps beside a model that has no prefix; single numbers, such as a count of steps, are known by their shape. */
const TRAINING = /^(?:loss\w*|criterion|metrics?|optim\w*|scheduler|ema|rng\w*)[./]/
const isOfTraining = ({ name, shape }: NamedTensor) => TRAINING.test(name) || (shape.length === 0 && !/[./]/.test(name))

/** The tensors of one model, and what else is in the file, in words. */
export interface OneModel {
  tensors: NamedTensor[]
  left: string[]
}

/**
 * Tensors without what stands in front of all names of one model, such as `module.` or `backbone.`, and without what
 * wrappers put between; heads may stand outside of it. Of several models in one file that of `wanted`, whose last dot may be
 * left out, or the first where all are equal. `front` is what a reader has taken off all names. Throws MixlabError `weights`
 * where it is not clear which.
 */
export function withoutPrefix(given: NamedTensor[], wanted: string | undefined, source: string, front = ''): OneModel {
  const fail = (what: string) => new MixlabError('weights', source, what)
  const tensors = given.map((tensor) => ({ ...tensor, name: tensor.name.replace(WRAPPERS, '') }))
  const asked = wanted !== undefined && front !== '' ? behind(wanted, front) : wanted
  const all = [...new Set(tensors.flatMap(({ name }) => FIRST_BLOCK.exec(name)?.[1] ?? []))]
  if (all.length === 0) return asked === undefined ? withoutCommon(tensors) : plainly(tensors, asked, fail)
  const models = all.filter((prefix) => !MOMENTS.test(prefix))
  const prefix = chosen(tensors, models.length > 0 ? models : all, asked, fail)
  const others = new Set(all.filter((other) => other !== prefix && !prefix.startsWith(other)))
  const parts = [...prefix.matchAll(/[./]/g)].map(({ index }) => prefix.slice(0, index + 1)).reverse()
  const bare = (name: string) => name.slice(parts.find((part) => name.startsWith(part))?.length ?? 0)
  const ofOther = (name: string) => fronts(name).find((front) => others.has(front))
  const [own, left] = [[] as NamedTensor[], [] as string[]]
  for (const tensor of tensors) {
    const other = ofOther(tensor.name)
    if (other !== undefined && prefix !== '') left.push(other)
    else if (other === undefined && tensor.name.startsWith(prefix) && !(prefix === '' && isOfTraining(tensor)))
      own.push({ ...tensor, name: bare(tensor.name) })
    else own.push({ ...tensor, name: bare(tensor.name), outside: true })
  }
  const seen = new Set<string>()
  const twice = own.find(({ name }) => seen.size === seen.add(name).size)
  if (twice) throw fail(`has ${quoted(twice.name)} twice, with and without ${quoted(prefix)}`)
  if (left.length === 0) return { tensors: own, left }
  const same = asked === undefined && models.length > 1 ? ', equal to those taken' : '' // or one would have to be named
  const counts = [...Map.groupBy(left, (other) => other)].map(([other, { length }]) => {
    return `${quoted(other)} (${length} tensors${models.includes(other) ? same : ''})`
  })
  return { tensors: own, left: [`left out of the file: what is behind ${listedText(counts)}`] }
}

/** How deep names are looked into; those of models are some ten parts long. */
const DEEPEST = 32

/** What a name begins with, up to each of its dots. */
function fronts(name: string): string[] {
  const found: string[] = []
  for (let at = 0; found.length < DEEPEST; ) {
    const next = name.slice(at).search(/[./]/)
    if (next < 0) break
    at += next + 1
    found.push(name.slice(0, at))
  }
  return found
}

/** What is wanted of tensors whose names have lost a front; undefined where that is all that is wanted. */
function behind(wanted: string, front: string): string | undefined {
  const rest = wanted.startsWith(front) ? wanted.slice(front.length) : front === `${wanted}.` ? '' : wanted
  return rest === '' ? undefined : rest
}

/** Those behind a prefix of names that are not known. */
function plainly(tensors: readonly NamedTensor[], wanted: string, fail: (what: string) => MixlabError): OneModel {
  const front = /[./]$/.test(wanted) ? wanted : `${wanted}.`
  const [own = [], others = []] = [true, false].map((is) => tensors.filter(({ name }) => name.startsWith(front) === is))
  if (own.length === 0) throw fail(`nothing is behind the prefix ${quoted(wanted)}`)
  const tensorsOf = own.map((tensor) => ({ ...tensor, name: tensor.name.slice(front.length) }))
  return { tensors: tensorsOf, left: leftText(others.map(({ name }) => name)) }
}

/** Most models that are compared. */
const MOST_MODELS = 8

/** The prefix of the model that is taken. */
function chosen(
  tensors: readonly NamedTensor[],
  prefixes: readonly string[],
  wanted: string | undefined,
  fail: (what: string) => MixlabError,
): string {
  const [first = ''] = prefixes
  if (wanted === undefined) {
    if (prefixes.includes('')) return ''
    if (prefixes.length < 2 || (prefixes.length <= MOST_MODELS && areEqual(tensors, prefixes))) return first
    throw fail(
      `has ${prefixes.length} models, behind ${namesText(prefixes)}; it takes one (--prefix; in a cell, prefix)`,
    )
  }
  const isBehind = (rest: string) => /[./]$/.test(wanted) || /^[./]/.test(rest)
  const begins = prefixes.filter((prefix) => prefix.startsWith(wanted) && isBehind(prefix.slice(wanted.length)))
  const [found, ...more] = prefixes.includes(wanted) ? [wanted] : begins
  const known = prefixes.every((prefix) => prefix === '') ? '; its model has no prefix' : suggest(wanted, prefixes)
  if (found === undefined) throw fail(`no first block behind the prefix ${quoted(wanted)}${known}`)
  if (more.length > 0) throw fail(`has ${begins.length} models behind ${quoted(wanted)}: ${namesText(begins)}`)
  return found
}

/** Whether the models behind some prefixes have the same names and values. */
function areEqual(tensors: readonly NamedTensor[], prefixes: readonly string[]): boolean {
  const [first = new Map(), ...others] = prefixes.map(
    (prefix) =>
      new Map(
        tensors.flatMap((each) =>
          each.name.startsWith(prefix) ? [[each.name.slice(prefix.length), each] as const] : [],
        ),
      ),
  )
  return others.every(
    (other) =>
      other.size === first.size &&
      [...other].every(([name, { values }]) => {
        const own: NamedTensor['values'] | undefined = first.get(name)?.values
        return own !== undefined && own.length === values.length && own.every((value, i) => Object.is(value, values[i]))
      }),
  )
}

function withoutCommon(tensors: NamedTensor[]): OneModel {
  const [front] = COMMON.exec(tensors[0]?.name ?? '') ?? []
  if (front === undefined || !tensors.every(({ name }) => name.startsWith(front))) return { tensors, left: [] }
  return withoutCommon(tensors.map((tensor) => ({ ...tensor, name: tensor.name.slice(front.length) })))
}
