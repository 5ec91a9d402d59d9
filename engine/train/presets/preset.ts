import { MixlabError } from '../../errors.ts'
import type { ModelOptions } from '../../nn/size.ts'
import type { OptimizerSpec } from '../optimizers/index.ts'
import { type RecipeOptions, resolveRecipe } from '../recipe.ts'

/** The factor of the learning rate where the batch is `ratio` times the published one. */
const scalings = {
  /** Goyal et al. 2017, for SGD. */
  linear: (ratio: number) => ratio,
  /** Malladi et al. 2022, for Adam; You et al. 2020, for LAMB. */
  sqrt: Math.sqrt,
}

/** A recipe as it was published. */
export interface Published {
  steps: number
  batch: number
  /** In steps. */
  warmup: number
  learningRate: number
  /** How the learning rate follows the batch. */
  scaling: keyof typeof scalings
  /** Decay of the moving average per step. */
  ema?: number
  optimizer(options: { learningRate: number; weightDecay?: number }): OptimizerSpec
  /** What does not depend on steps and batch. */
  recipe: RecipeOptions
  /** What the recipe says of the model: for `model:` of a study, since it is not about training alone. */
  model: ModelOptions
}

export type PresetOptions = RecipeOptions & {
  /** Instead of the published one scaled with the batch; not beside an `optimizer`, which has its own. */
  learningRate?: number
  /** Instead of the published one; likewise. */
  weightDecay?: number
}

/** A published recipe at another size, e.g. `recipes.deit({ steps: 600, batch: 64 })`. */
export interface Preset {
  (options?: PresetOptions): RecipeOptions
  /** Model options of the recipe, e.g. `model: { ...recipes.deit.model, dim: 64 }`. */
  model: ModelOptions
}

/**
 * With the published steps and batch, the published values. With others the learning rate is scaled with the batch as
 * `scaling` says, warm-up is the same part of all steps, and a moving average forgets over the same part. What the user
 * gives comes first; options of `augment` one by one. Throws MixlabError `option` for steps or a batch below 1, and for
 * `learningRate` or `weightDecay` beside an optimizer.
 */
export function preset(published: Published): Preset {
  const { recipe, optimizer, scaling, ema, model } = published
  const make = ({ learningRate, weightDecay, ...given }: PresetOptions = {}): RecipeOptions => {
    if (given.optimizer) refuseBesideOptimizer({ learningRate, weightDecay })
    const { steps, batch } = resolveRecipe(chosen(given))
    const rate = learningRate ?? published.learningRate * scalings[scaling](batch / published.batch)
    return {
      ...recipe,
      steps,
      batch,
      warmup: Math.round((published.warmup * steps) / published.steps),
      optimizer: optimizer({ learningRate: rate, ...(weightDecay !== undefined && { weightDecay }) }),
      ...(ema && { ema: ema ** (published.steps / steps) }),
      ...given,
      ...((recipe.augment || given.augment) && { augment: { ...recipe.augment, ...given.augment } }),
    }
  }
  return Object.assign(make, { model })
}

function chosen({ steps, batch }: RecipeOptions): RecipeOptions {
  return { ...(steps !== undefined && { steps }), ...(batch !== undefined && { batch }) }
}

/** Values that an optimizer would leave without effect. */
function refuseBesideOptimizer(values: Record<string, number | undefined>): void {
  for (const [option, value] of Object.entries(values)) {
    if (value === undefined) continue
    throw new MixlabError('option', `train.${option}`, `${value}, expected inside of the optimizer that is given`)
  }
}
