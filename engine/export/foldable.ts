/** What a spec says that decides whether its model can be folded; see recorded.ts. */
interface Recorded {
  model: { block?: unknown; folded?: unknown; parts?: unknown; [option: string]: unknown }
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
  offer: 'merge BatchNorm and convolutions into the matrices over pixels',
  done: 'BatchNorm and convolutions merged into the matrices over pixels',
}

/** How the model of a run can be folded: a ResMLP for images, or what is made of RepMLP blocks; null where it cannot be. */
export function foldableOf({ model, task }: Recorded): Foldable | null {
  if (model.block === 'resmlp') return !('stem' in model || 'head' in model) && task.task === 'image' ? AFFINE : null
  return hasRepmlp(model) ? LOCALITY : null
}

/** Whether a model, or a part of it, is made of RepMLP blocks that are not folded yet. */
function hasRepmlp({ block, folded, parts }: Recorded['model']): boolean {
  if (Array.isArray(parts)) return parts.some(hasRepmlp)
  return (block === 'repmlp' || block === 'repmlp_net') && folded !== true
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
