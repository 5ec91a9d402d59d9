import { z } from 'zod'
import { parseOptions } from '../options.ts'
import { adamw, optimizerKind } from './optimizers/index.ts'

const schema = z.strictObject({
  /** Optimizer steps. */
  steps: z.int().min(1).default(600),
  /** Examples per step. */
  batch: z.int().min(1).default(64),
  optimizer: z.strictObject({ optimizer: z.string(), options: z.record(z.string(), z.unknown()) }).default(adamw()),
  schedule: z.enum(['cosine', 'constant']).default('cosine'),
  /** Steps of linear warm-up; a twentieth of all by default. */
  warmup: z.int().min(0).optional(),
  /** Where the cosine ends, as a fraction of the peak learning rate. */
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
