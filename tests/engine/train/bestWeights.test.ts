import { expect, it } from 'vitest'
import { gmlp } from '../../../engine/models/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { MetricMeaning } from '../../../engine/records/meaning.ts'
import { resolveRecipe } from '../../../engine/train/recipe.ts'
import { train } from '../../../engine/train/train.ts'
import { MEANINGS } from '../../meanings.ts'
import { collect, toyModel, toyTask } from './toy.ts'

/** Trains with a metric whose values come from a list; the step of the weights that were held to be the best. */
async function bestStep(meaning: MetricMeaning, values: number[]): Promise<number | null> {
  let asked = 0
  const name = 'own'
  const evaluator = () => ({ name, meaning, add: () => {}, value: () => values[asked++] ?? Number.NaN })
  const task = { ...toyTask(), metric: `test/${name}`, evaluators: () => [evaluator()] }
  const model = toyModel(gmlp)
  const recipe = resolveRecipe({ steps: values.length, batch: 4, evalEvery: 1, checkpointEvery: { steps: 1 } }, 'train')
  const events = await collect(train({ model, task, recipe, seed: 1 }))
  model.dispose()
  const own = events.filter((event) => event.type === 'metric' && event.name === `validation/${name}`)
  expect(own.map((event) => (event as Extract<TrainEvent, { type: 'metric' }>).meaning)).toEqual(
    values.map(() => meaning),
  )
  return events.flatMap((event) => (event.type === 'checkpoint' && event.best ? [event.step] : [])).at(-1) ?? null
}

it.each([
  ['test/macro_recall', 2],
  ['test/topic_loss', 1],
  ['test/iou', 2],
  ['test/bleu', 2],
])('the best weights by %s are what it says', async (name, step) => {
  expect(await bestStep(MEANINGS[name] ?? {}, [0.1, 0.9, 0.5])).toBe(step)
})

it('no weights are the best where no way is, and none with a value that is not a number', async () => {
  expect(await bestStep({}, [0.1, 0.9])).toBeNull()
  expect(await bestStep({ better: 'higher' }, [0.1, Number.NaN])).toBe(1)
})
