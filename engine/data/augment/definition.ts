import type { Definition } from '../../definitions.ts'
import type { DrawStreams, NamedDraws } from '../namedDraws.ts'

/** Numbers one behind the other, and the shape that they have. */
export interface Values {
  /** A copy, which may be changed; of tokens and classes, too. */
  values: Float32Array
  shape: readonly number[]
}

/** One training example: the part that is changed, and all parts by name. */
export interface AugmentedExample extends Values {
  parts: Record<string, Values>
}

/** A batch of training examples: the values of all of them one behind the other; `shape` is that of one. */
export interface AugmentedBatch extends Values {
  /** How many examples there are. */
  count: number
  parts: Record<string, Values>
  /** Of a label; 0 where the data have none. */
  classes: number
  /** The labels as distributions over the classes, `[count, classes]`, to be mixed. */
  targets(): Float32Array
}

/** New values of the part that is changed, or of several parts by name; each as many as before. */
export type Changed = ArrayLike<number> | Record<string, ArrayLike<number>>

/** Makes another example of one; every random number comes from `random`. */
export type ChangeExample<Random = NamedDraws> = (example: AugmentedExample, random: Random) => Changed

/** Makes another batch of one; a `label` may be given back as distributions over the classes, as `targets()` gives it. */
export type ChangeBatch<Random = NamedDraws> = (batch: AugmentedBatch, random: Random) => Changed

/** What an augmentation changes, and how. */
export interface AugmentationOptions<Random = NamedDraws> {
  /** The name of the part that is changed, e.g. `image`: data without it are refused. The first one by default. */
  part?: string | undefined
  /** Makes another example of one. */
  change?: ChangeExample<Random> | undefined
  /** In place of `change`, where examples are mixed: makes another batch of one. */
  batch?: ChangeBatch<Random> | undefined
}

/** A change of training batches: one of the table, or one of a cell for `augment: { own: [...] }` of a recipe. */
export interface Augmentation extends Definition, AugmentationOptions<DrawStreams> {
  readonly kind: 'augmentation'
}

/** An augmentation, built in or of a cell. */
export function define(name: string, options: AugmentationOptions<DrawStreams>): Augmentation {
  return { kind: 'augmentation', name, ...options, decides: options }
}

export function isAugmentation(value: unknown): value is Augmentation {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'augmentation'
}
