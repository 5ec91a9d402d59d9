import type { TrainEvent } from '../records/events.ts'
import { CHOSEN_STEP } from '../records/splits.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { Evaluation } from './evaluate.ts'
import { CHOSEN } from './meanings.ts'
import type { Recipe } from './recipe.ts'
import type { Tell } from './tell.ts'

/** What the test at the end of a training needs. */
interface LastTest {
  held: Evaluation
  saves: Checkpoints
  recipe: Recipe
  tell: Tell
  pause: () => Promise<void>
}

/**
 * The one evaluation of the tests, after the last step, with the weights that validation chose; the model has its own
 * again afterwards. Nothing before this reads a test example, and nothing after it chooses.
 */
export async function* lastTest({ held, saves, recipe, tell, pause }: LastTest): AsyncGenerator<TrainEvent> {
  const { steps, testExamples } = recipe
  const { found, step } = await saves.duringChosen(steps, async (step) => {
    return { found: await held.test(testExamples, pause), step }
  })
  yield { type: 'metric', step: steps, name: CHOSEN_STEP, value: step, meaning: CHOSEN }
  yield* tell(found, steps)
}
