/** What a spec says that decides whether its model can be folded; see recorded.ts. */
interface Recorded {
  model: { block?: unknown; folded?: unknown; locality?: unknown; parts?: unknown; [option: string]: unknown }
  task: { task?: unknown }
}

/** A way in which models become simpler for inference and say the same. */
export interface Foldable {
  kind: 'affine' | 'locality'
  /** What it is offered as. */
  offer: string
  /** What was done, in a list. */
  done: string
}

const AFFINE: Foldable = {
  kind: 'affine',
  offer: 'fold affine layers into their neighbours',
  done: 'affine layers folded',
}
const LOCALITY: Foldable = {
  kind: 'locality',
  offer: 'merge BatchNorm and convolutions into the matrices over tokens',
  done: 'BatchNorm and convolutions merged into the matrices over tokens',
}

const BOTH: Foldable = {
  kind: 'affine',
  offer: 'fold affine layers and convolutions into their neighbours',
  done: 'affine layers and convolutions folded',
}

/**
 * How the model of a run can be folded: a ResMLP for images, or what is made of RepMLP blocks or of blocks with option
 * `locality`; null where it cannot be.
 */
export function foldableOf({ model, task }: Recorded): Foldable | null {
  const isLocal = hasConvolutions(model)
  const hasAffine = model.block === 'resmlp' && !('stem' in model || 'head' in model) && task.task === 'image'
  if (hasAffine) return isLocal ? BOTH : AFFINE
  return isLocal ? LOCALITY : null
}

/** The blocks with option `locality`. */
const LOCAL: readonly unknown[] = ['resmlp', 'mixer', 'gmlp', 'amlp']

/** Whether a model, or a part of it, has convolutions beside its matrices over tokens. */
function hasConvolutions({ block, folded, locality, parts }: Recorded['model']): boolean {
  if (Array.isArray(parts)) return parts.some(hasConvolutions)
  if (block === 'repmlp' || block === 'repmlp_net') return folded !== true
  return LOCAL.includes(block) && Array.isArray(locality) && locality.length > 0
}

/** Multiply-adds for an example, before and after folding. */
export interface FoldedMacs {
  before: number
  after: number
}

/** What folding has changed, in words. */
export const foldingText = ({ before, after }: FoldedMacs): string =>
  `${megas(after)} multiply-adds for an example, ${megas(before)} before folding`

const megas = (count: number) => `${(count / 1e6).toPrecision(5)} M`
