// In a page of its own: what the backend webgl computes, beside what is right.
import * as tf from '@tensorflow/tfjs'
import { registerSimd } from '../../engine/backends/simd/register.ts'
import { registerWebGl } from '../../engine/backends/webgl/register.ts'
import { registerGradients } from '../../engine/gradients/register.ts'
import { compare, dataset, image, mlm, points, sgd, solids, world } from '../../engine/index.ts'
import type { BlockWith } from '../../engine/nn/block.ts'
import { createModel } from '../../engine/nn/model.ts'
import type { Block } from '../../engine/nn/types.ts'
import { openStudy } from '../../engine/study/open.ts'
import type { OpenVariant } from '../../engine/study/opened.ts'
import type { TaskSpec } from '../../engine/tasks/index.ts'
import { train } from '../../engine/train/train.ts'
import { readSafetensors } from '../../engine/weights/safetensors.ts'
import { memoryFiles } from '../engine/data/memory-files.ts'
import { between, type Case, of } from '../engine/gradients/cases.ts'
import { CARD, wrongAmong } from '../engine/gradients/check.ts'
import { tensorsOf } from '../engine/gradients/code.ts'
import { families, table } from '../engine/gradients/table.ts'
import { architectures, tiny } from '../engine/models/tiny.ts'
import { type Found, functionsOn } from './functions.ts'

/** By how much two tensors of a shape differ at most, relative to the largest value of the second. */
function difference(a: tf.Tensor, b: tf.Tensor): number {
  const [own, wanted] = [Array.from(a.dataSync()), Array.from(b.dataSync())]
  const largest = Math.max(1e-30, ...wanted.map(Math.abs).filter(Number.isFinite))
  const differences = wanted.map((value, i) => (Object.is(value, own[i]) ? 0 : Math.abs(value - (own[i] as number))))
  return differences.reduce((most, each) => (each <= most ? most : each), 0) / largest
}

/** The same values in a new texture, which has zeros outside of the tensor. */
const uploaded = (x: tf.Tensor): tf.Tensor => tf.tensor(x.dataSync().slice(), x.shape, x.dtype)

const asMatrix = (x: tf.Tensor): tf.Tensor => tf.reshape(x, [-1, x.shape.at(-1) ?? 1])
const asColumn = (x: tf.Tensor): tf.Tensor => tf.reshape(x, [-1, 1])

/** Products over each axis, as a matrix, as a batch of matrices, and as one column. */
const PRODUCTS: Record<string, (x: tf.Tensor) => tf.Tensor> = {
  rows: (x) => tf.matMul(asMatrix(x), asMatrix(x), false, true),
  columns: (x) => tf.matMul(asMatrix(x), asMatrix(x), true, false),
  'batched rows': (x) => (x.rank > 2 ? tf.matMul(x, x, false, true) : x),
  'batched columns': (x) => (x.rank > 2 ? tf.matMul(x, x, true, false) : x),
  column: (x) => tf.matMul(asColumn(x), asColumn(x), true, false),
}

/** By how much results may be off: those of the same values in other textures, and of three steps. */
const LIMITS = { same: 1e-6, weights: 1e-4, movement: 1e-3 }

/** The operations that work value by value, over axes of 1 to 7 values, broadcast along one or the other. */
function producers(size: number): Record<string, Case[]> {
  const shapes = [[], [[size, 1]], [[1, size]], [[2, 1, size]]]
  return Object.fromEntries(
    Object.entries(families.elementwise).map(([name, [first]]) => {
      const floats = name !== 'broadcastTo' && first?.inputs.every(({ dtype }) => dtype === 'float32')
      const arity = first?.inputs.length ?? 0
      if (!first || !floats || arity < 1 || arity > 2) return [name, []]
      const own = shapes.filter((each) => each.length === arity - 1)
      return [name, own.map((others) => of(between(0.5, 0.9, [2, size, size], ...others), first.run as never))]
    }),
  )
}

/** What an operation leaves outside of the tensor: its results in products, beside the same values uploaded. */
function produced(name: string, cases: Case[]): string[] {
  const wrong: string[] = []
  for (const [i, each] of cases.entries()) {
    const given = Object.values(tensorsOf(each))
    let results: tf.Tensor[] = []
    try {
      results = [each.run(...given)].flat()
    } catch (error) {
      if (!/not registered|not yet supported/.test(`${error}`)) wrong.push(`${name} ${i}: ${error}`)
    }
    for (const result of results.filter(({ dtype }) => dtype === 'float32')) {
      for (const [product, run] of Object.entries(PRODUCTS)) {
        tf.tidy(() => {
          const off = difference(run(result), run(uploaded(result)))
          if (!(off < LIMITS.same))
            wrong.push(`${name} ${i}, [${result.shape}], ${product}: off by ${off.toExponential(1)}`)
        })
        pairs++
      }
    }
    tf.dispose([given, results])
  }
  return wrong
}

let pairs = 0

/** What an operation makes of values that broadcast subtraction left in a texture, beside the same values uploaded. */
function consumed(name: string, cases: Case[]): string[] {
  const wrong: string[] = []
  for (const [i, each] of cases.entries()) {
    tf.tidy(() => {
      const clean: tf.Tensor[] = []
      const left = Object.values(tensorsOf(each)).map((x) => {
        const moved =
          x.dtype === 'float32' && x.rank > 0 ? tf.sub(x, tf.fill([...x.shape.slice(0, -1), 1], 2 ** -7)) : x
        clean.push(uploaded(moved))
        return moved
      })
      try {
        const [own, wanted] = [each.run(...left), each.run(...clean)].map((result) => [result].flat())
        for (const [at, result] of (own as tf.Tensor[]).entries()) {
          const off = difference(result, (wanted as tf.Tensor[])[at] as tf.Tensor)
          if (!(off < LIMITS.same))
            wrong.push(`of ${name} ${i}, [${left.map(({ shape }) => shape).join('], [')}]: ${off}`)
          pairs++
        }
      } catch (error) {
        if (!/not registered|not yet supported/.test(`${error}`)) wrong.push(`of ${name} ${i}: ${error}`)
      }
    })
  }
  return wrong
}

/**
 * What is wrong of every `part`-th operation: by its results, by those over axes of some sizes, and by what it is given.
 */
async function padding(part: number, sizes: number[]): Promise<Found> {
  await start('webgl')
  tf.env().set('WEBGL_CPU_FORWARD', false) // small tensors, too, are for the card
  const some = <Each>(all: Record<string, Each>) => Object.entries(all).filter((_, i) => i % part === 0)
  pairs = 0
  const wrong = [
    ...sizes.flatMap((size) => some(producers(size)).flatMap(([name, cases]) => produced(`${name} of ${size}`, cases))),
    ...some(table).flatMap(([name, cases]) => produced(name, cases)),
    ...some(table).flatMap(([name, cases]) => consumed(name, cases)),
  ]
  return { report: [`${pairs} results`], wrong }
}

/** Operations whose programs count places along odd axes: sums of segments, running sums, and gradients of strides. */
function counted(): Record<string, () => tf.Tensor> {
  const values = (...shape: number[]) => {
    return tf.tensor(
      Float32Array.from({ length: tf.util.sizeFromShape(shape) }, (_, i) => 0.3 + Math.sin(1.7 * i)),
      shape,
    )
  }
  const all: Record<string, () => tf.Tensor> = {}
  for (const [rows, segments] of [
    [256, 61],
    [255, 61],
    [1023, 7],
    [208, 3],
    [64, 13],
    [1025, 47],
  ] as const) {
    const ids = () =>
      tf.tensor1d(
        Array.from({ length: rows }, (_, i) => (i * 7919) % segments),
        'int32',
      )
    all[`${rows} rows in ${segments} segments`] = () => tf.unsortedSegmentSum(values(rows, 5), ids(), segments)
  }
  for (const length of [1, 3, 7, 13, 61, 257, 1001]) {
    all[`running sum of ${length}`] = () => tf.cumsum(values(3, length), 1)
  }
  for (const stride of [1, 2, 3, 5, 6, 7]) {
    const filter = () => values(stride, stride, 3, 2) as tf.Tensor4D
    const by = (run: (x: tf.Tensor4D) => tf.Tensor) => () =>
      tf.grad((x) => tf.sum(tf.square(run(x as tf.Tensor4D))))(values(2, 4 * stride + 2, 3 * stride + 1, 3))
    Object.assign(all, {
      [`convolution, stride ${stride}`]: by((x) => tf.conv2d(x, filter(), stride, 'same')),
      [`depthwise convolution, stride ${stride}`]: by((x) => tf.depthwiseConv2d(x, filter(), stride, 'same')),
      [`average pool, stride ${stride}`]: by((x) => tf.avgPool(x, stride, stride, 'valid')),
      [`max pool, stride ${stride}`]: by((x) => tf.maxPool(x, stride + 1, stride, 'same')),
    })
  }
  return all
}

/** These on webgl, beside cpu. */
async function places(): Promise<Found> {
  const on = async (backend: string) => {
    await start(backend)
    return Object.entries(counted()).map(([name, run]) => {
      const result = tf.tidy(run)
      return { name, values: result.dataSync().slice() as Float32Array }
    })
  }
  const [own, wanted] = [await on('webgl'), await on('cpu')]
  const report = wanted.map(({ name, values }, i) => {
    const off = largest(minus(own[i]?.values as Float32Array, values)) / largest(values)
    return { off, text: `${name}: off by ${digits(off)}` }
  })
  return {
    report: report.map(({ text }) => text),
    wrong: report.filter(({ off }) => !(off < 1e-5)).map(({ text }) => text),
  }
}

async function start(backend: string): Promise<void> {
  registerWebGl()
  registerSimd()
  registerGradients()
  if (!(await tf.setBackend(backend))) throw new Error(`${backend} does not start`)
}

/** Pictures of three colours whose stripes tell the class. */
const stripes = (classes: number, size: number) =>
  dataset(`stripes ${classes} ${size}`, {
    train: 14,
    validation: 7,
    test: 67,
    shape: { image: [size, size, 3] },
    make: (random, index) => {
      const label = (index * 2) % classes
      const from = { train: 0, validation: 100, test: 200 }[random.part as 'train']
      const wave = (_: unknown, i: number) => 0.5 + 0.5 * Math.sin((index + from) * 0.37 + i * 0.11 * (label + 1))
      return { image: Float32Array.from({ length: size * size * 3 }, wave), label }
    },
  })

/** Tasks with odd numbers of classes, tokens and words, and an odd `dim`. */
const TASKS = {
  '3 classes': { task: image({ data: stripes(3, 12) }), dim: 13 }, // 9 tokens
  '5 classes': { task: image({ data: stripes(5, 20) }), dim: 12 }, // 25 tokens
  '7 classes': { task: image({ data: stripes(7, 12) }), dim: 15 },
  '61 words': {
    task: mlm({ data: world({ train: 40, test: 6 }), tokens: 13, tokenizer: { vocabulary: 61 } }),
    dim: 13,
    batch: 17,
  },
  points: { task: points({ data: solids({ points: 15, train: 40, test: 6 }) }), dim: 13 },
}

const STEPS = 3

/** An architecture as it is in the table of tiny ones, with one head, which goes with every size. */
function alone(architecture: string): Block {
  const block = architectures.find(([name]) => name === architecture)?.[1] as BlockWith<object>
  const [, own] = tiny.find(([, { blockName }]) => blockName === block.blockName) as (typeof tiny)[number]
  return block({ ...own.options, ...('heads' in block.defaults && { heads: 1 }) })
}

type Weights = Record<string, Float32Array>

/** The weights before training and after each step. */
async function weightsBySteps({ opened, block, size, recipe }: OpenVariant, backend: string): Promise<Weights[]> {
  await start(backend)
  const model = createModel(opened.model(block, size), opened.input, 1)
  const files = new Map<number, Uint8Array>()
  for await (const event of train({ model, task: opened, recipe, seed: 1 })) {
    if (event.type === 'failed') throw new Error(event.message)
    if (event.type === 'snapshot' || event.type === 'checkpoint') files.set(event.step, event.weights)
  }
  model.dispose()
  return Array.from({ length: STEPS + 1 }, (_, step) => step).map((step) => {
    const { tensors } = readSafetensors(files.get(step) as Uint8Array)
    return Object.fromEntries(tensors.map(({ name, values }) => [name, Float32Array.from(values)]))
  })
}

const largest = (values: Float32Array) => values.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
const minus = (a: Float32Array, b: Float32Array) => a.map((value, i) => value - (b[i] as number))

/** The gradient of a bias before batch normalisation is rounding alone, on simd too: small tensors count beside large ones. */
const SHARE = 0.1

/** By how much weights are off at most: relative to the largest of their tensor, or to a share of the largest of all. */
function offBy(own: Weights, wanted: Weights, share: number): number {
  const least = share * Math.max(...Object.values(wanted).map(largest))
  const off = Object.entries(wanted).map(([name, values]) => {
    return largest(minus(own[name] as Float32Array, values)) / Math.max(largest(values), least)
  })
  return off.reduce((most, each) => (each <= most ? most : each), 0)
}

function movement(steps: Weights[]): Weights {
  const [first, last] = [steps[0] as Weights, steps[STEPS] as Weights]
  return Object.fromEntries(
    Object.entries(last).map(([name, values]) => [name, minus(values, first[name] as Float32Array)]),
  )
}

/** Three steps of an architecture on a task on webgl, beside simd: the weights after each, and how far they have moved. */
async function steps(architecture: string, task: keyof typeof TASKS): Promise<Found> {
  const { dim, batch = 7, ...rest }: { task: TaskSpec; dim: number; batch?: number } = TASKS[task]
  const study = compare(`${architecture}, ${task}`, {
    task: rest.task,
    model: { patch: 4, dim, ffn: 2 * dim, depth: 1 },
    variants: { own: alone(architecture) },
    train: {
      ...{ steps: STEPS, batch, schedule: 'constant', warmup: 0, snapshots: STEPS, evalExamples: 7 },
      ...{
        histograms: false,
        checkpointEvery: {},
        optimizer: sgd({ learningRate: 0.05, momentum: 0.9, weightDecay: 0 }),
      },
    },
    seeds: 1,
  })
  const [variant] = (await openStudy(study, {}, memoryFiles({}))).variants as [OpenVariant]
  const wanted = await weightsBySteps(variant, 'simd')
  const own = await weightsBySteps(variant, 'webgl')
  const off = wanted.map((weights, step) => offBy(own[step] as Weights, weights, SHARE))
  const moved = offBy(movement(own), movement(wanted), 1)
  const text = `${study.name}: weights off by ${digits(...off.slice(1))}, movement by ${digits(moved)}`
  const isRight = off.every((each) => each < LIMITS.weights) && moved < LIMITS.movement
  return { report: [text], wrong: isRight ? [] : [text] }
}

const digits = (...values: number[]) => values.map((each) => each.toExponential(1)).join(', ')

/** What is wrong about the gradients of an operation, by every `part`-th of its cases. */
async function gradients(name: string, part: number): Promise<string[]> {
  await start('webgl')
  const wrong = await wrongAmong(
    name,
    (table[name] ?? []).filter((_, i) => i % part === 0),
    2,
    CARD,
  )
  // tfjs lacks some kernels on this backend: a run ends with that
  return wrong.filter((line) => !line.includes('not registered for backend'))
}

Object.assign(globalThis, {
  ...{ functions: () => functionsOn('webgl', start), padding, places, steps },
  tasks: Object.keys(TASKS),
  gradients,
  operations: Object.keys(table),
  webglReady: true,
})
