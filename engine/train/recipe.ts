import { z } from 'zod'
import { parseOptions } from '../options.ts'
import { adamw, optimizerKind } from './optimizers/index.ts'
import { scheduleNames } from './schedule.ts'

const schema = z.strictObject({
  /** Optimizer steps. */
  steps: z.int().min(1).default(600),
  /** Examples per step. */
  batch: z.int().min(1).default(64),
  optimizer: z.strictObject({ optimizer: z.string(), options: z.record(z.string(), z.unknown()) }).default(adamw()),
  /** Parameters without weight decay on top of norms, biases and the like: segments of names, e.g. `pos_embed`. */
  noDecay: z.array(z.string()).default([]),
  /** Largest global norm of the gradients; larger ones are scaled down together. Off by default. */
  clip: z.number().positive().optional(),
  /** Decay per step of an exponential moving average of the weights, which is then evaluated and saved. Off by default. */
  ema: z.number().gt(0).lt(1).optional(),
  /** How the learning rate falls after warm-up. */
  schedule: z.enum(scheduleNames).default('cosine'),
  /** Steps of linear warm-up; a twentieth of all by default. */
  warmup: z.int().min(0).optional(),
  /** Where cosine and linear end, as a fraction of the peak learning rate. */
  floor: z.number().min(0).max(1).default(0.01),
  /** Steps between evaluations; a tenth of all by default. The last step is always evaluated. */
  evalEvery: z.int().min(1).optional(),
  /** Held-out examples per evaluation, from the first on; all by default. */
  evalExamples: z.int().min(1).optional(),
  /** Steps between readings of the loss. Every loss is kept; they are read together. */
  logEvery: z.int().min(1).default(10),
})

/** What a user may write under `train:` in a study. */
export const recipeSchema = schema.partial()
export type RecipeOptions = z.input<typeof recipeSchema>

/** How a model is trained, with all defaults filled in. */
export type Recipe = z.output<typeof schema> & { warmup: number; evalEvery: number }

export function resolveRecipe(options: RecipeOptions, path = 'train'): Recipe {
  const recipe = parseOptions(schema, options, path)
  const { optimizer, options: given } = recipe.optimizer
  return {
    ...recipe,
    optimizer: { optimizer, options: optimizerKind(optimizer).resolve(given) },
    warmup: recipe.warmup ?? Math.floor(recipe.steps / 20),
    evalEvery: recipe.evalEvery ?? Math.ceil(recipe.steps / 10),
  }
}
