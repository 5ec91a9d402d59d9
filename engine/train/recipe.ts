import { z } from 'zod'
import { imageRecipe } from '../data/augment/options.ts'
import { MixlabError } from '../errors.ts'
import { parseOptions } from '../options.ts'
import { adamw, isOptimizer, type OptimizerKind, optimizerOf } from './optimizers/index.ts'
import { checkSchedule, isSchedule, type OwnSchedule, scheduleNames } from './schedule.ts'

const SCHEDULES = `one of ${scheduleNames.join(', ')}, or schedule('name', (step, steps) => factor)`

const decay = z.number().gt(0).lt(1)
const emaWithWarmup = z
  .strictObject({ decay, warmup: z.boolean().default(false) })
  .transform(({ decay, warmup }) => (warmup ? { decay, warmup } : decay))

const schema = z.strictObject({
  /** Optimizer steps. */
  steps: z.int().min(1).default(600),
  /** Examples per step. */
  batch: z.int().min(1).default(64),
  /** Gradient accumulation: parts of a batch that are computed one after the other, for less memory. */
  accumulate: z.int().min(1).default(1),
  optimizer: z
    .strictObject({
      optimizer: z.string(),
      options: z.record(z.string(), z.unknown()),
      defined: z.custom<OptimizerKind>(isOptimizer, 'an optimizer of a cell').optional(),
    })
    .default(adamw()),
  /** Parameters without weight decay on top of norms, biases and the like: segments of names, e.g. `pos_embed`. */
  noDecay: z.array(z.string()).default([]),
  /** Learning rates that get smaller by this factor from block to block towards the stem. Off by default. */
  layerDecay: z.number().gt(0).max(1).optional(),
  /** Gradient clipping: largest global norm of the gradients; larger ones are scaled down together. Off by default. */
  clip: z.number().positive().optional(),
  /**
   * Decay per step of an exponential moving average of the weights, which is then evaluated and saved. With `warmup` it is at
   * most (1 + t) / (10 + t) at step t, so that the initial weights are soon forgotten. Off by default.
   */
  ema: z.union([decay, emaWithWarmup], { error: 'a decay between 0 and 1, or { decay, warmup: true }' }).optional(),
  /** How the learning rate falls after warm-up. */
  schedule: z.union([z.enum(scheduleNames), z.custom<OwnSchedule>(isSchedule)], { error: SCHEDULES }).default('cosine'),
  /** Steps of linear warm-up; a twentieth of all by default. */
  warmup: z.int().min(0).optional(),
  /** Where warm-up starts, as a fraction of the peak learning rate; by default one step above 0. */
  warmupStart: z.number().min(0).max(1).optional(),
  /** Where cosine and linear end, as a fraction of the peak learning rate. */
  floor: z.number().min(0).max(1).default(0.01),
  /** Steps between evaluations; a tenth of all by default. The last step is always evaluated. */
  evalEvery: z.int().min(1).optional(),
  /** Validation examples per evaluation, from the first on; all by default. */
  evalExamples: z.int().min(1).optional(),
  /** Test examples of the one evaluation at the end, from the first on; all by default. */
  testExamples: z.int().min(1).optional(),
  /** Steps between readings of the loss. Every loss is kept; they are read together. */
  logEvery: z.int().min(1).default(10),
  /** Steps, or seconds, or both between the checkpoints to resume from. They do not change the result. */
  checkpointEvery: z
    .strictObject({ steps: z.int().min(1).optional(), seconds: z.number().positive().optional() })
    .default({ seconds: 5 }),
  /** Whether each evaluation records histograms of weights and gradients. They do not change the result. */
  histograms: z.boolean().default(true),
  /** How many times weights are kept on the way, see snapshots.ts. They do not change the result. */
  snapshots: z.int().min(0).max(10_000).default(0),
  ...imageRecipe,
})

/** What a user may write under `train:` in a study. */
export const recipeSchema = schema.partial()
export type RecipeOptions = z.input<typeof recipeSchema>

/** The hyperparameters of a training, with all defaults filled in. */
export type Recipe = z.output<typeof schema> & { warmup: number; evalEvery: number }

export type CheckpointEvery = Recipe['checkpointEvery']

/** An average in words. */
export function emaText(ema: NonNullable<Recipe['ema']>): string {
  return typeof ema === 'number' ? String(ema) : `${ema.decay} with warmup`
}

export function resolveRecipe(options: RecipeOptions, path = 'train'): Recipe {
  const recipe = parseOptions(schema, options, path)
  if (recipe.batch % recipe.accumulate !== 0) {
    const what = `${recipe.accumulate}, expected a divisor of the batch of ${recipe.batch}`
    throw new MixlabError('option', `${path}.accumulate`, what)
  }
  const kind = optimizerOf(recipe.optimizer)
  const optimizer = { ...recipe.optimizer, options: kind.resolve(recipe.optimizer.options) }
  if (recipe.ema !== undefined && kind.evaluates(optimizer.options)) {
    const what = `${emaText(recipe.ema)}, expected none beside ${kind.name}, which says itself what is evaluated`
    throw new MixlabError('option', `${path}.ema`, what)
  }
  const { steps, schedule } = recipe
  const own = typeof schedule !== 'string'
  const warmup = recipe.warmup ?? (own ? 0 : Math.floor(steps / 20))
  const scheduled = { ...recipe, warmup }
  checkSchedule(scheduled)
  return {
    ...scheduled,
    optimizer,
    evalEvery: recipe.evalEvery ?? Math.ceil(steps / 10),
  }
}
