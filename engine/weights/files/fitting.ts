import { MixlabError } from '../../errors.ts'
import { isSameShape } from '../model.ts'
import type { NamedTensor } from '../safetensors.ts'
import { withDiagonals } from '../toeplitz.ts'
import { copied } from './copied.ts'
import { leftText } from './left.ts'
import { type Resizing, resized, resizingOf, type Wanted } from './resize.ts'

/** What becomes of matrices over tokens, and of positions, where the patches of a model are other ones. */
export type OtherGrid = 'resized' | 'copied'

/** Tensors that are named of each kind of trouble. */
const NAMED = 3

/**
 * The tensors of a file for those of a model. Heads may differ; stem and blocks may not, but that with `tokens` positions and
 * matrices over tokens become those of another grid of patches. Throws MixlabError `weights` that lists what is missing,
 * shaped otherwise, or too much; `source` names the file, and `hint` says how they may be of another grid.
 */
export function fitting(
  file: readonly NamedTensor[],
  wanted: readonly Wanted[],
  { tokens, source, hint = HINT }: { tokens?: OtherGrid | undefined; source: string; hint?: string },
): NamedTensor[] {
  const known = new Set(wanted.map(({ name }) => name))
  const given = withDiagonals(file, known)
  const byName = new Map(given.map((tensor) => [tensor.name, tensor]))
  const resizing = resizingOf(byName, wanted)
  const overTokens = new Set(wanted.flatMap(({ name, tokenGrid }) => (tokenGrid === undefined ? [] : [name])))
  const follows = (name: string) =>
    /pos_embed$/.test(name) || overTokens.has(name) || overTokens.has(name.replace(/bias$/, 'weight'))
  const found = wanted.map((each) => {
    const own = byName.get(each.name)
    return { each, tensor: own ? match(own, each, follows(each.name) ? resizing : null, tokens) : null }
  })
  const stem = new Set(wanted.flatMap(({ name, inHead }) => (inHead ? [] : [rootOf(name)])))
  const others = given.flatMap(({ name, outside }) => (known.has(name) || outside ? [] : [name]))

  const absent = found.filter(({ each, tensor }) => !tensor && !each.inHead).map(({ each }) => each)
  const missing = absent.filter(({ name }) => !byName.has(name)).map(({ name }) => `'${name}'`)
  const shaped = absent.flatMap(({ name, shape }) => {
    const own = byName.get(name)
    return own ? [`'${name}' is [${own.shape}], in the model [${shape}]`] : []
  })
  const extra = others.filter((name) => stem.has(rootOf(name)) && !isKeptAside(name)).map((name) => `'${name}'`)
  const troubles = [
    ...listed('missing: ', missing),
    ...listed('', shaped),
    ...listed('not in the model: ', extra),
    ...(shaped.length > 0 && resizing && !tokens ? [`${sidesOf(resizing)}; ${hint}`] : []),
  ]
  if (missing.length + shaped.length + extra.length > 0) throw new MixlabError('weights', source, troubles.join('; '))
  return found.flatMap(({ tensor }) => (tensor ? [tensor] : []))
}

/** The tensors of a file that a model does not take, in words: a head for other classes, and what is of no part of it. */
export function leftByModel(file: readonly NamedTensor[], taken: readonly NamedTensor[]): string[] {
  const known = new Set(taken.map(({ name }) => name))
  const left = withDiagonals(file, known).flatMap(({ name }) => (known.has(name) ? [] : [name]))
  return leftText(left, 'as not taken by the model')
}

const HINT = 'resize: true resizes what depends on them'

function match(
  tensor: NamedTensor,
  wanted: Wanted,
  resizing: Resizing | null,
  tokens: OtherGrid | undefined,
): NamedTensor | null {
  if (isSameShape(tensor.shape, wanted.shape)) return { ...tensor, shape: wanted.shape }
  if (!resizing || !tokens || wanted.inHead) return null
  return (tokens === 'copied' ? copied : resized)(tensor, wanted, resizing)
}

/** `blocks` of `blocks.0.norm1.weight`; a file with more blocks than the model is of another model. */
const rootOf = (name: string) => name.split('.')[0]

/** Buffers that follow from the sizes, and layers of BERT that only its pre-training used. */
const isKeptAside = (name: string) => /(position_ids|num_batches_tracked)$|^bert\.pooler\./.test(name)

function listed(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const more = names.length - NAMED
  return [`${what}${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
}

function sidesOf({ from, to }: Resizing): string {
  const side = (count: number) => `${Math.sqrt(count)} x ${Math.sqrt(count)}`
  return `the file is of ${side(from)} patches, the model has ${side(to)}`
}
