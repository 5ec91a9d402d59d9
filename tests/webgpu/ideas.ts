import { useBackend as startBackend } from '../../app/backends.ts'
import { checkModel } from '../../engine/conformance/model.ts'
import type { Block } from '../../engine/nn/types.ts'
import { sgd } from '../../engine/train/optimizers/index.ts'
import { resolveRecipe } from '../../engine/train/recipe.ts'
import { train } from '../../engine/train/train.ts'
import { collect, toyModel, toyTask } from '../engine/train/toy.ts'
import { builtOf, caseOf, type Idea, ideas, small } from '../experiments/gallery/ideas.ts'
import { sample } from '../long.ts'
import { differing, type Values, weightsOf } from './compare.ts'

/** The weights after two steps on the backend that is current. */
async function afterSteps(block: Block): Promise<Values> {
  const model = toyModel(block)
  // AdamW would make steps of the rounding of gradients that are 0
  const recipe = resolveRecipe({ steps: 2, batch: 4, optimizer: sgd({ learningRate: 0.1 }) })
  const events = await collect(train({ model, task: toyTask(), recipe, seed: 1 }))
  for (const event of events) if (event.type === 'warning') throw new Error(event.message)
  const weights = await weightsOf(model)
  model.dispose()
  return weights
}

/** What an idea gives as programs, beside its reference case and what it gives on simd. */
export async function compared(idea: Idea): Promise<string[]> {
  await startBackend('simd', 1)
  const wanted = await afterSteps(small(idea))
  await startBackend('webgpu', 1)
  const own = await afterSteps(small(idea))
  const golden = caseOf(idea.name)
  const checks = await checkModel(golden, builtOf(idea, golden))
  const most = Math.max(...checks.map(({ error }) => error)).toExponential(1)
  const far = checks.filter(({ error, tolerance }) => !(error <= tolerance))
  return [
    `${idea.name}: ${checks.length} tensors of PyTorch, at most ${most} away`,
    ...far.map(({ tensor, error }) => `FAILED: ${tensor} of ${idea.name} is ${error} away`),
    ...differing(own, wanted, 2e-5).map((line) => `${line}, after two steps of ${idea.name}`),
  ]
}

/** A third of the ideas of the gallery, with MIXLAB_LONG=1 all: reference cases, and two steps of training as on simd. */
export async function galleryIdeas(): Promise<string[]> {
  const lines: string[] = []
  for (const idea of sample(ideas)) lines.push(...(await compared(idea)))
  return lines
}
