import type { ModelOptions } from '../../nn/size.ts'
import type { FactorValues } from '../../records/design.ts'
import type { RecipeOptions } from '../../train/recipe.ts'

/** What a value that is tried changes of a variant. */
export interface TunedParts {
  model?: ModelOptions
  train?: RecipeOptions
}

/** A value that is tried of each variant, or a combination of several. */
export interface TriedValue {
  /** e.g. `lr=0.003`. */
  name: string
  values: FactorValues
  parts: TunedParts
}

/** What is chosen for each variant of a study before it is trained; made by `tuned`. */
export interface Tune {
  readonly kind: 'tuned'
  readonly tried: readonly TriedValue[]
  /** With which seeds it is chosen. */
  readonly seeds: readonly number[]
}

export function isTune(value: unknown): value is Tune {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'tuned'
}
