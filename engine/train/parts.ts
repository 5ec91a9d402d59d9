import type { Model } from '../nn/model.ts'
import type { Batch, Task } from '../tasks/types.ts'
import { evaluationWeights, movingAverage } from './ema.ts'
import { predict } from './evaluate.ts'
import { withLayerDecay } from './layerDecay.ts'
import { exemptFromDecay } from './noDecay.ts'
import { optimizerOf } from './optimizers/index.ts'
import type { Recipe } from './recipe.ts'
import { learningRateAt } from './schedule.ts'
import type { TrainingParts } from './steps/index.ts'

/** What a recipe makes of a model and a task: all that training steps need. The caller disposes optimizer and average. */
export function trainingParts(
  model: Model,
  task: Task,
  recipe: Recipe,
): TrainingParts & {
  /** The learning rate of the step after `step` of them: warmup, then the curve of the recipe. */
  learningRate(step: number): number
} {
  const options = recipe.optimizer.options as { learningRate: number }
  const parameters = exemptFromDecay(model.trained, recipe.noDecay)
  const { create } = optimizerOf(recipe.optimizer)
  const optimizer = withLayerDecay((all, rates) => create(options, all, rates), parameters, recipe.layerDecay)
  const average = evaluationWeights(model.parameters, optimizer) ?? movingAverage(model.parameters, recipe.ema)
  return {
    model,
    lossOf: (batch, mode) => task.loss(predict(task, model, batch as Batch, mode), batch as Batch),
    parameters,
    optimizer,
    average,
    recipe,
    learningRate: (step) => options.learningRate * learningRateAt(step, recipe),
  }
}
