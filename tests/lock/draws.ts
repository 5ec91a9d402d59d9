import * as tf from '@tensorflow/tfjs'
import { augment } from '../../engine/data/augment/augment.ts'
import type { AugmentOptions, ImageRecipe } from '../../engine/data/augment/options.ts'
import { shuffledBatches } from '../../engine/data/dataLoader.ts'
import { imageData } from '../../engine/data/images/index.ts'
import { pointData } from '../../engine/data/points/index.ts'
import { corpora, pairData, spanData, textData } from '../../engine/data/text/index.ts'
import * as initialisers from '../../engine/nn/initialisers.ts'
import { dropout } from '../../engine/nn/layers/dropout.ts'
import { random } from '../../engine/nn/layers/random.ts'
import { residual } from '../../engine/nn/layers/residual.ts'
import { createModel, type Forward } from '../../engine/nn/model.ts'
import { currentPass, parameter } from '../../engine/nn/scope.ts'
import { bernoulli, integer, keyOf, normal, permutation, uniform } from '../../engine/random.ts'
import { signFlip } from '../../engine/study/statistics/signFlip.ts'
import { taskKind } from '../../engine/tasks/index.ts'
import type { Batch } from '../../engine/tasks/types.ts'
import { files } from './files.ts'

type Values = ArrayLike<number> | string
/** What is drawn under a name. */
type Draw = () => Values | Promise<Values>

const key = keyOf(7, 'a')
const each = (draw: (i: number) => number) => Array.from({ length: 4 }, (_, i) => draw(i))
const few = { train: 8, test: 4 }

/** The first values of a parameter that is initialised so. */
const initial = (initialiser: initialisers.Initialiser): Draw => {
  return () => output((x) => tf.add(parameter('layer.weight', [4], initialiser, { fans: { in: 3, out: 5 } }), x), [1])
}

/** What a model gives for ones in the fourth step of training. */
function output(forward: Forward, shape: number[]): ArrayLike<number> {
  const model = createModel(forward, { shape }, 7)
  try {
    return tf.tidy(() => model.apply(tf.zeros(shape), { training: true, step: 3 }).dataSync())
  } finally {
    model.dispose()
  }
}

/** The first batch of a task; the first values of one of its tensors. */
const fromTask = (
  name: string,
  options: Record<string, unknown>,
  tensor: string,
  split: 'train' | 'validation' | 'test',
): Draw => {
  return async () => {
    const kind = taskKind(name)
    const task = await kind.open(kind.resolve(options), files)
    const source: AsyncGenerator<Batch> = split === 'train' ? task.trainBatches(2, 7, 3) : task.evalBatches(split, 2)
    const { value } = await source.next()
    await source.return(undefined)
    const values = (value as Batch)[tensor]?.dataSync().slice(0, 24) ?? []
    tf.dispose(value as Batch)
    return values
  }
}

/** Some pixels of two images in the fourth step. */
const pixels = (recipe: Partial<ImageRecipe> | { augment: Partial<AugmentOptions> }): Draw => {
  return () => {
    const source = Float32Array.from({ length: 2 * 8 * 8 * 3 }, (_, i) => ((i * 37) % 101) / 100)
    const full = { mixupProb: 1, mixupSwitchProb: 0.5, ...recipe } as ImageRecipe
    const batch = { pixels: source, labels: Int32Array.of(0, 1) }
    const done = augment({ batch, shape: [8, 8, 3], classes: 2, recipe: full, seed: 7, step: 3 })
    return [...done.pixels.filter((_, i) => i % 41 === 0), ...(done.targets ?? [])]
  }
}

type Part = 'train' | 'validation' | 'test'

/** What a batch of some data has: its labels, and the first of its values. */
const image = (dataset: string, options: Record<string, unknown> = few, split: Part = 'train'): Draw => {
  return async () => {
    const { pixels, labels } = await (await imageData.open({ dataset, options }, files))[split].read([0, 1])
    return [...labels, ...pixels.filter((_, i) => i % 197 === 0).slice(0, 8)]
  }
}
const cloud = (dataset: string, options: Record<string, unknown>): Draw => {
  return async () => {
    const { points, labels } = await (await pointData.open({ dataset, options }, files)).train.read([0, 1])
    return [...labels, ...points.slice(0, 6)]
  }
}
const text = (table: typeof textData, split: Part, dataset: string, options: object = few): Draw => {
  return async () => {
    const opened = await table.open({ dataset, options: { ...options } }, files)
    const { first, second, labels } = await opened[split].read([0, 1])
    return `${labels} ${first.join(' | ')} || ${second?.join(' | ')}`
  }
}
const running = (dataset: string, options: object): Draw => {
  return async () => (await corpora.open({ dataset, options: { ...options } }, files)).train.read(0, 120)
}
const asked = (dataset: string, options: object): Draw => {
  return async () => {
    const { questions, passages } = await (await spanData.open({ dataset, options: { ...options } }, files)).train.read(
      [0, 1],
    )
    return [...questions, ...passages].join(' | ')
  }
}

const columns = { first: 'sentence', label: 'label' }
const twoColumns = { first: 'sentence1', second: 'sentence2', label: 'gold_label' }
const masked = { data: { dataset: 'world', options: few }, tokens: 12, tokenizer: { vocabulary: 40 } }

/** Every named draw of the engine. */
export const draws: Record<string, Draw> = {
  'random: key': () => [...keyOf(1, 'init/head.weight'), ...keyOf(2 ** 40, 'a')],
  'random: uniform': () => each((i) => uniform(key, i * 2 ** 33)),
  'random: integer': () => each((i) => integer(key, i, 1000)),
  'random: normal': () => each((i) => normal(key, i)),
  'random: bernoulli': () => bernoulli(key, 16, 0.3),
  'random: permutation': () => permutation(key, 10),
  'initialiser: normal': initial(initialisers.normal(0.02)),
  'initialiser: near zero': initial(initialisers.nearZero),
  'initialiser: uniform': initial(initialisers.uniform(0.5)),
  'initialiser: Xavier': initial(initialisers.xavierUniform),
  'initialiser: LeCun': initial(initialisers.lecunNormal),
  'initialiser: Kaiming': initial(initialisers.kaimingNormal),
  'initialiser: torch': initial(initialisers.torchDefault),
  dropout: () => output((x) => dropout(tf.onesLike(x), 0.5), [2, 8]),
  'random numbers of a block: uniform': () => output(() => random.uniform('a', [2, 8]), [2, 8]),
  'random numbers of a block: normal': () => output(() => random.normal('a', [2, 8]), [2, 8]),
  'stochastic depth': () =>
    output(
      (x) => {
        currentPass('draws').dropPath = 0.5
        return residual(x, tf.onesLike(x))
      },
      [16, 1],
    ),
  'order of the data': async () => {
    const indices = { size: 12, read: async (at: ArrayLike<number>) => Array.from(at) }
    const source = shuffledBatches(indices, { batch: 5, seed: 7 }, 1)
    const order = [(await source.next()).value, (await source.next()).value]
    await source.return(undefined as never)
    return order.flat()
  },
  'masks of training': fromTask('mlm', masked, 'input', 'train'),
  'masks of evaluation': fromTask('mlm', masked, 'input', 'test'),
  'masks of validation': fromTask('mlm', masked, 'input', 'validation'),
  'augmentation: crop': pixels({ augment: { crop: 2 } }),
  'augmentation: flip': pixels({ augment: { flip: 0.5 } }),
  'augmentation: AutoAugment': pixels({ augment: { autoAugment: true } }),
  'augmentation: RandAugment': pixels({ augment: { randAugment: { n: 2, m: 9, mstd: 0.5, mmax: 10, inc: true } } }),
  'augmentation: colour jitter': pixels({ augment: { colorJitter: 0.4 } }),
  'augmentation: erase': pixels({ augment: { erase: 1 } }),
  'augmentation: mixup': pixels({ mixup: 0.8 }),
  'augmentation: cutmix': pixels({ cutmix: 1 }),
  'data: shapes': image('shapes'),
  'data: shapes, validation': image('shapes', { ...few, validation: 0.3 }, 'validation'),
  'data: textures': image('textures'),
  'data: glyphs': image('glyphs'),
  'data: solids': cloud('solids', { points: 16, ...few }),
  'data: world, texts': text(textData, 'train', 'world'),
  'data: world, held-out texts': text(textData, 'test', 'world'),
  'data: world, texts for validation': text(textData, 'validation', 'world', { ...few, validation: 0.3 }),
  'data: world, pairs': text(pairData, 'train', 'world'),
  'data: world, corpus': running('world', few),
  'data: world, questions': asked('world', few),
  'points of a mesh or cloud': cloud('pointFiles', { path: 'clouds', points: 8 }),
  'held out: clouds': cloud('pointFiles', { path: 'clouds', points: 24 }),
  'held out: idx': image('idx', { path: 'idx' }),
  'validation: cifar': image('cifar', { path: 'cifar', validation: 0.3 }, 'validation'),
  'so many to train on: cifar': image('cifar', { path: 'cifar', train: 5 }),
  'held out: folder': image('folder', { path: 'folder', size: 16 }),
  'held out: tsv': text(textData, 'test', 'tsv', { path: 'sst', columns, holdout: 0.4 }),
  'held out: tsv of pairs': text(pairData, 'test', 'tsv', { path: 'mnli', columns: twoColumns, holdout: 0.4 }),
  'held out: text files': running('textFiles', { path: 'talk', holdoutBy: 'files' }),
  'held out: squad': asked('squad', { path: 'squad', holdout: 0.5 }),
  'signs of a test': () => [signFlip(Array.from({ length: 21 }, (_, i) => (i % 5) - 1.5))],
}

/** All of them, each as plain data. */
export async function drawnValues(): Promise<Record<string, number[] | string>> {
  const values: Record<string, number[] | string> = {}
  for (const [name, draw] of Object.entries(draws)) {
    const drawn = await draw()
    values[name] = typeof drawn === 'string' ? drawn : Array.from(drawn)
  }
  return values
}
