import * as tf from '@tensorflow/tfjs'
import { expect, it, vi } from 'vitest'
import { augmentation } from '../../../engine/data/augment/augmentation.ts'
import { discs, scenes, seasons, shapes, solids } from '../../../engine/data/index.ts'
import {
  clm,
  forecast,
  image,
  kindOf,
  mlm,
  pair,
  points,
  regression,
  resolveTask,
  segment,
  sequence,
  span,
  type TaskSpec,
  task,
} from '../../../engine/tasks/index.ts'
import { type RecipeOptions, resolveRecipe } from '../../../engine/train/recipe.ts'
import { noFiles as none } from '../data/memory-files.ts'

vi.mock('../../../engine/data/text/index.ts', async (original) => ({
  ...(await original<object>()),
  ...(await import('./tiny-texts.ts')),
}))

const images = image({ data: shapes({ train: 20, test: 10, size: 16 }) })
/** Noise for what is no whole number; the first word for some of the tokens. */
const shaken = augmentation('shaken', ({ values }, random) =>
  values.map((value) => {
    if (!Number.isInteger(value)) return value + random.uniform('noise', 0, 0.1)
    return value > 4 && random.chance('token', 0.3) ? 5 : value
  }),
)
const own = { augment: { own: [shaken] } }
const mixed = { mixup: 0.8, cutmix: 1, augment: { crop: 2, flip: 0.5, repeats: 3 } }

it.each<[string, TaskSpec, RecipeOptions]>([
  ['images', images, {}],
  ['images, augmented and mixed', images, mixed],
  ['images, augmented by a cell', images, { ...mixed, augment: { ...mixed.augment, ...own.augment } }],
  ['points', points({ data: solids({ train: 20, test: 10, points: 16 }) }), {}],
  ['masked text', mlm({ data: 'talk', tokens: 12 }), {}],
  ['text, token by token', clm({ data: 'talk', tokens: 12 }), {}],
  ['texts', sequence({ data: 'reviews', tokens: 9 }), {}],
  ['pairs of texts', pair({ data: 'claims', tokens: 16 }), {}],
  ['questions', span({ data: 'homes', tokens: 48 }), {}],
  ['numbers', regression({ data: discs({ train: 20, test: 10, size: 16 }) }), {}],
  ['a task of a cell', task('own', { base: images, loss: (y) => tf.mean(y) }), mixed],
  ['scenes', segment({ data: scenes({ size: 16, train: 10, test: 2 }) }), {}],
  ['series', forecast({ data: seasons({ channels: 2, steps: 12, train: 6, test: 2 }), window: 8, horizon: 2 }), {}],
  ...(
    [
      ['points', points({ data: solids({ train: 20, test: 10, points: 16 }) })],
      ['masked text', mlm({ data: 'talk', tokens: 12 })],
      ['text, token by token', clm({ data: 'talk', tokens: 12 })],
      ['texts', sequence({ data: 'reviews', tokens: 9 })],
      ['questions', span({ data: 'homes', tokens: 48 })],
      ['series', forecast({ data: seasons({ channels: 2, steps: 12, train: 6, test: 2 }), window: 8, horizon: 2 })],
    ] satisfies [string, TaskSpec][]
  ).map(([name, spec]): [string, TaskSpec, RecipeOptions] => [`${name}, augmented by a cell`, spec, own]),
])('batches of %s go on from any step as if those before had been taken', async (_, spec, options) => {
  const resolved = resolveTask(spec)
  const opened = await kindOf(resolved).open(resolved.options, none)
  const take = async (from: number, count: number) => {
    const batches = opened.trainBatches(8, 1, from, { recipe: resolveRecipe(options) })
    const taken: unknown[] = []
    for (let i = 0; i < count; i++) {
      const { value } = await batches.next()
      taken.push(Object.entries(value).map(([name, tensor]) => [name, (tensor as tf.Tensor).arraySync()]))
      tf.dispose(value)
    }
    await batches.return(undefined)
    return taken
  }
  const whole = await take(0, 12)
  for (const step of [1, 7, 11]) expect(await take(step, 1)).toEqual([whole[step]])
  expect(whole[7]).not.toEqual(whole[8])
})
