import type { TrainEvent } from '../records/events.ts'
import { CHOSEN_STEP } from '../records/splits.ts'
import type { Checkpointer } from './checkpointer.ts'
import type { ModelEvaluator } from './evaluate.ts'
import { CHOSEN } from './meanings.ts'
import type { MetricLogger } from './metricLogger.ts'
import type { Recipe } from './recipe.ts'

/** What the final evaluation needs. */
interface FinalEvaluation {
  evaluator: ModelEvaluator
  checkpointer: Checkpointer
  recipe: Recipe
  log: MetricLogger
  yieldToEvents: () => Promise<void>
}

/**
 * The one evaluation on the test split, after the last step, with the weights that validation chose; the model has its own
 * again afterwards. No test example is read before this, and nothing is chosen after it.
 */
export async function* finalEvaluation({
  evaluator,
  checkpointer,
  recipe,
  log,
  yieldToEvents,
}: FinalEvaluation): AsyncGenerator<TrainEvent> {
  const { steps, testExamples } = recipe
  const { results, step } = await checkpointer.withBestWeights(steps, async (step) => {
    return { results: await evaluator.test(testExamples, yieldToEvents), step }
  })
  yield { type: 'metric', step: steps, name: CHOSEN_STEP, value: step, meaning: CHOSEN }
  yield* log(results, steps)
}
