import * as tf from '@tensorflow/tfjs'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Code, recordGraph } from '../../../engine/compile/record.ts'
import { registerGradients } from '../../../engine/gradients/register.ts'
import * as mixlab from '../../../engine/index.ts'
import { LONG } from '../../long.ts'
import { useSimd } from '../backends/simd/setup.ts'
import { programOf } from '../compile/setup.ts'
import type { Case } from './cases.ts'
import { codeOf } from './code.ts'
import {
  disposeParameters,
  equalised,
  exportedNames,
  ofMixlab,
  ofTfjs,
  reasonOfMixlab,
  reasonOfTfjs,
} from './exported.ts'
import { meddling } from './meddling.ts'

// The tables call functions of tfjs that can be called by code that meddles; the engine has its own.
vi.mock('@tensorflow/tfjs', async (importOriginal) =>
  (await import('./meddling.ts')).meddledModule(await importOriginal<object>()),
)

beforeAll(async () => {
  registerGradients()
  await useSimd()
  tf.env().platform.isTypedArray = (value): value is Float32Array => ArrayBuffer.isView(value) // of 64 bits, too
})
afterEach(() => {
  meddling.on = false
  disposeParameters()
})

const Float32 = Float32Array

/** Runs code on the backend `cpu` with 64 bits a number, whose kernels take whatever a Float32Array is. */
async function inFloat64<Result>(run: () => Result): Promise<Result> {
  await tf.setBackend('cpu')
  globalThis.Float32Array = Float64Array as unknown as typeof Float32Array
  try {
    return run()
  } finally {
    globalThis.Float32Array = Float32
  }
}

async function onSimd<Result>(run: () => Result): Promise<Result> {
  await tf.setBackend('simd')
  return run()
}

/** Of an input `[size]`: fixed numbers of either sign, none small. */
const weights = (size: number, of: number) =>
  Float64Array.from({ length: size }, (_, i) => Math.sin(7 * i + 3 * of) + 2)

type Sum = (results: tf.Tensor[], inputs: tf.Tensor[]) => tf.Tensor[]

/** Every result once. */
const once: Sum = (results) => results.map((each, i) => weighted(each, i))
/** The results twice, and the inputs again. */
const twice: Sum = (results, inputs) => [
  ...results.flatMap((each, i) => [weighted(each, i), weighted(each, i + 50)]),
  ...inputs.map((each, i) => weighted(each, i + 90)),
]

function weighted(x: tf.Tensor, of: number): tf.Tensor {
  return tf.sum(tf.mul(tf.cast(x, 'float32'), tf.tensor(new Float32Array(weights(x.size, of)), x.shape)))
}

interface Slopes {
  value: number
  /** By each input of type float32. */
  gradients: Float32Array[]
}

/** The sum of a case and its gradients. */
function slopesOf({ inputs, run }: Case, sum: Sum = once): Slopes {
  const { value, grads } = tf.tidy(() => {
    const all = inputs.map(({ values, shape, dtype }) => tf.tensor(typed(values, dtype), shape, dtype))
    const floats = all.filter(({ dtype }) => dtype === 'float32')
    const total = () => tf.addN(sum([run(...all)].flat(), floats)) as tf.Scalar
    const { value, grads } = tf.engine().gradients(total, floats, undefined, true)
    return { value, grads: floats.map((each, i) => grads[i] ?? tf.zeros(each.shape)) }
  })
  const read = { value: value.dataSync()[0] as number, gradients: grads.map((each) => each.dataSync() as Float32Array) }
  tf.dispose([value, grads])
  return read
}

const typed = (values: tf.BackendValues, dtype: tf.DataType) =>
  (dtype === 'float32' ? new Float32Array(values as Float32Array) : (values as Int32Array).slice()) as tf.TypedArray

function sumOf({ inputs, run }: Case): number {
  return tf.tidy(() => {
    const all = inputs.map(({ values, shape, dtype }) => tf.tensor(typed(values, dtype), shape, dtype))
    return tf.addN(once([run(...all)].flat(), [])).dataSync()[0] as number
  })
}

/** A case where one entry of an input, or all of them, are moved. */
function moved({ inputs, run }: Case, at: number, entry: number | 'all', by: number): Case {
  const near = inputs.map((input, i) =>
    i === at
      ? {
          ...input,
          values: Float64Array.from(
            input.values as Float32Array,
            (value, j) => value + (entry === 'all' || j === entry ? by : 0),
          ) as unknown as Float32Array,
        }
      : input,
  )
  return { inputs: near, run }
}

/** The slope along entries by central differences; null at a kink, and where there is none. */
function slopeOf(each: Case, at: number, entry: number | 'all'): number | null {
  const step = 2e-5
  const [far, near, middle, left, further] = [2, 1, 0, -1, -2].map((k) => sumOf(moved(each, at, entry, k * step))) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const slope = (8 * (near - left) - (far - further)) / (12 * step)
  const sides = [near - middle, middle - left, (far - middle) / 2].map((rise) => rise / step)
  return sides.every((side) => Math.abs(side - slope) < 1e-2 * (1 + Math.abs(slope))) ? slope : null
}

/** Some entries of an input, and all of them together. */
function places(size: number, most: number): (number | 'all')[] {
  const every = Math.max(1, Math.ceil(size / most))
  return [...Array.from({ length: Math.ceil(size / every) }, (_, i) => i * every), 'all']
}

/** A power 0 of 0, and x [x != 0], are no products of slopes. */
const AT_ZERO = /^(pow|cast) /

/** What is wrong about a case in float64: against central differences, used twice, and called by code that meddles. */
function wrongIn(title: string, each: Case): string[] {
  const wrong: string[] = []
  const check = (what: string, found: number, wanted: number, scale: number, tolerance = 1e-4) => {
    if (!Object.is(found, wanted) && !(Math.abs(found - wanted) <= tolerance * (1 + scale)))
      wrong.push(`${title}, ${what}: ${found}, not ${wanted}`)
  }
  const inputs = each.inputs.flatMap(({ dtype }, i) => (dtype === 'float32' ? [i] : []))
  const against = (what: string, tried: Case, entries: (size: number) => (number | 'all')[]) => {
    const { gradients } = slopesOf(tried)
    for (const [place, at] of inputs.entries()) {
      const own = gradients[place] as Float32Array
      for (const entry of entries(own.length)) {
        const slope = slopeOf(tried, at, entry)
        const found = entry === 'all' ? own.reduce((sum, value) => sum + value, 0) : (own[entry] as number)
        const scale =
          Math.abs(slope ?? 0) + (entry === 'all' ? own.reduce((sum, value) => sum + Math.abs(value), 0) : 0)
        if (slope !== null) check(`${what}, entry ${entry} of input ${at + 1}`, found, slope, scale)
      }
    }
    return gradients
  }
  const gradients = against('by differences', each, (size) => places(size, LONG ? 40 : 5))
  // along equal values that move together, the largest of them is smooth
  for (const value of AT_ZERO.test(title) ? [undefined, 1] : [undefined, 0, 1])
    against(`all ${value ?? 'equal'}`, equalised(each, value), () => ['all'])
  const again = slopesOf(each, twice).gradients
  const third = slopesOf(each, (results) => results.map((x, i) => weighted(x, i + 50))).gradients
  meddling.on = true
  const spoilt = slopesOf(each).gradients
  meddling.on = false
  for (const [place, own] of gradients.entries()) {
    const extra = weights(own.length, place + 90)
    own.forEach((value, i) => {
      const sum = value + (third[place]?.[i] as number) + (extra[i] as number)
      check(`used twice, entry ${i}`, again[place]?.[i] as number, sum, Math.abs(sum), 1e-9)
      check(`lists changed, entry ${i}`, spoilt[place]?.[i] as number, value, Math.abs(value), 1e-12)
    })
  }
  return wrong
}

/** The recording of a case with its gradients, or what it says where there is none. */
async function recorded(each: Case): Promise<string> {
  try {
    const specs = Object.fromEntries(each.inputs.map(({ shape, dtype }, i) => [i, { shape, dtype }]))
    const { operations, constants } = await recordGraph(specs, codeOf(each))
    return JSON.stringify([operations, constants.map(({ values }) => [...(values as Float32Array)])])
  } catch (error) {
    return String(error)
  }
}

/** What of a case differs on `simd`, and as a recording, which programs are made of. */
async function differing(title: string, each: Case): Promise<string[]> {
  const wanted = await inFloat64(() => slopesOf(each).gradients)
  meddling.on = true
  const found = await onSimd(() => slopesOf(each).gradients)
  const meddled = await recorded(each)
  meddling.on = false
  const wrong = wanted.flatMap((own, place) => {
    const largest = own.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 1)
    const at = own.findIndex(
      (value, i) => Number.isFinite(value) && !(Math.abs(value - (found[place]?.[i] as number)) <= 2e-3 * largest),
    )
    return at < 0 ? [] : [`${title} on simd, entry ${at} of ${place + 1}: ${found[place]?.[at]}, not ${own[at]}`]
  })
  return (await recorded(each)) === meddled ? wrong : [...wrong, `${title}: recorded otherwise where lists change`]
}

async function wrongOf(name: string, cases: Case[]): Promise<string[]> {
  const wrong: string[] = []
  for (const [i, each] of cases.entries()) {
    const title = `${name} ${i} of ${each.inputs.map(({ shape }) => `[${shape}]`).join(', ')}`
    try {
      wrong.push(...(await inFloat64(() => wrongIn(title, each))), ...(await differing(title, each)))
    } catch (error) {
      wrong.push(`${title}: ${error instanceof Error ? error.stack : error}`)
    }
    disposeParameters()
  }
  return wrong
}

/** The first, and one of each rank, unless all are to be tried. */
const tried = (cases: Case[]) =>
  LONG ? cases : cases.filter((each, i) => i % Math.ceil(cases.length / 6) === 0 || each.inputs[0]?.shape.includes(1))

describe('every function that a cell can import', () => {
  it('has cases, or a reason why it has none', () => {
    const open = [
      ...exportedNames('@tensorflow/tfjs').filter((name) => !ofTfjs[name]?.length && !reasonOfTfjs(name)),
      ...exportedNames('mixlab').filter((name) => !reasonOfMixlab(name) && ofMixlab(name).length === 0),
    ]
    expect(open).toEqual([])
  })

  it.each(exportedNames('mixlab').filter((name) => !reasonOfMixlab(name)))('mixlab %s', async (name) => {
    expect(await wrongOf(name, ofMixlab(name))).toEqual([])
  })

  it.each(Object.keys(ofTfjs))('tf %s', async (name) => {
    expect(await wrongOf(name, tried(ofTfjs[name] as Case[]))).toEqual([])
  })
})

/** Gradients of sums at equal values and at kinks, as PyTorch 1.13 has them: of rows of two or three, or of lists. */
const TORCH: [string, number[], (x: tf.Tensor) => tf.Tensor, number[]][] = [
  ['max', [1, 2, 2, 0, -1, -1], (x) => tf.max(rows(x), 1), [0, 0.5, 0.5, 1, 0, 0]],
  ['max of all', [3, 3, 1, 3, 2, 0], (x) => tf.max(rows(x)), [1 / 3, 1 / 3, 0, 1 / 3, 0, 0]],
  [
    'max over two axes, kept',
    [3, 3, 1, 3, 2, 0],
    (x) => tf.max(rows(x), [-1, 0], true),
    [1 / 3, 1 / 3, 0, 1 / 3, 0, 0],
  ],
  ['min', [1, 2, 2, 0, -1, -1], (x) => tf.min(rows(x), -1), [1, 0, 0, 0, 0.5, 0.5]],
  [
    'norm, infinity',
    [1, -2, 2, 0, 0, 0],
    (x) => tf.norm(rows(x), Number.POSITIVE_INFINITY, 1),
    [0, -0.5, 0.5, 0, 0, 0],
  ],
  [
    'norm, - infinity',
    [1, -1, 2, 0, 0, 3],
    (x) => tf.norm(rows(x), Number.NEGATIVE_INFINITY, 1),
    [0.5, -0.5, 0, 0, 0, 0],
  ],
  ['norm, 1', [1, -2, 0], (x) => tf.norm(x, 1), [1, -1, 0]],
  ['norm', [3, 0, 4, 0, 0, 0], (x) => tf.norm(rows(x), 2, 1), [0.6, 0, 0.8, 0, 0, 0]],
  ['euclideanNorm as a method', [0, 0, 0], (x) => x.euclideanNorm(), [0, 0, 0]],
  ['norm of a matrix', [0, 0, 0, 0, 0, 0], (x) => tf.norm(rows(x), 'euclidean', [0, 1]), [0, 0, 0, 0, 0, 0]],
  ['abs', [0, 1, -1], (x) => tf.abs(x), [0, 1, -1]],
  ['relu', [0, 1, -1], (x) => tf.relu(x), [0, 1, 0]],
  ['maximum', [0, 1, -1], (x) => tf.maximum(x, 0), [0.5, 1, 0]],
  ['minimum', [0, 1, -1], (x) => tf.minimum(x, 0), [0.5, 0, 1]],
  ['maximum of the same', [1, 2], (x) => tf.maximum(x, x), [1, 1]],
  ['clipByValue', [0, 1, 2, -1], (x) => tf.clipByValue(x, 0, 1), [1, 1, 0, 0]],
  ['maxPool', [1, 1, 0, 1], (x) => tf.maxPool(tf.reshape(x, [1, 2, 2, 1]) as tf.Tensor4D, 2, 2, 0), [1, 0, 0, 0]],
  ['absoluteDifference', [0, 2], (x) => tf.losses.absoluteDifference([0, 0], x, undefined, tf.Reduction.SUM), [0, 1]],
  [
    'sigmoidCrossEntropy',
    [0, 1],
    (x) => tf.losses.sigmoidCrossEntropy([1, 0], x, undefined, 0, tf.Reduction.SUM),
    [-0.5, 0.7310586],
  ],
  ['logSumExp', [1, 1], (x) => tf.logSumExp(x), [0.5, 0.5]],
  ['prod', [0, 2, 3], (x) => tf.prod(x), [6, 0, 0]],
  ['cumprod', [0, 2, 0], (x) => tf.cumprod(x), [3, 0, 0]],
  ['topk', [1, 1, 1], (x) => tf.topk(x, 2).values, [1, 1, 0]],
  ['divNoNan', [0, 2], (x) => tf.divNoNan(tf.ones([2]), x), [0, -0.25]],
  ['mixlab max', [1, 2, 2, 0, -1, -1], (x) => mixlab.max(rows(x), 1), [0, 0.5, 0.5, 1, 0, 0]],
  ['mixlab maximum', [0, 1, -1], (x) => mixlab.maximum(x, 0), [0.5, 1, 0]],
  ['mixlab abs', [0, 1, -1], mixlab.abs, [0, 1, -1]],
]

const rows = (x: tf.Tensor) => tf.reshape(x, [2, 3])

/** Operations with gradients of their own that give back what they got. */
const SAME: [string, (x: tf.Tensor) => tf.Tensor, number][] = [
  [
    'surrogate',
    mixlab.surrogate(
      (x) => x,
      (dy) => tf.mul(dy, 5),
    ),
    5,
  ],
  [
    'gradient reversal',
    mixlab.surrogate(
      (x) => x,
      (dy) => tf.neg(dy),
    ),
    -1,
  ],
  [
    'a gradient for two',
    (x) =>
      mixlab.surrogate(
        (a, b) => tf.add(a, b),
        (dy) => [dy, dy],
      )(x, x),
    2,
  ],
  ['customGrad', (x) => tf.customGrad((x) => ({ value: x as tf.Tensor, gradFunc: (dy) => dy }))(x), 1],
  ['scan of one token', (x) => mixlab.scan(tf.mul(x, 0), tf.reshape(x, [1, 1, -1])), 1],
  ['cumprod of one token', (x) => mixlab.cumprod(tf.reshape(x, [1, 1, -1])), 1],
  ['shift by nothing', (x) => mixlab.shift(x, 0, { axis: 0 }), 1],
  ['split into one', (x) => mixlab.split(tf.reshape(x, [1, -1]), 1)[0] as tf.Tensor, 1],
]

/** The gradient of the sum of a function, or of that and all its inputs, at once and as a program. */
async function gradients(values: number[], run: (x: tf.Tensor) => tf.Tensor, extra: number) {
  const given = { x: tf.tensor1d(values) }
  const code: Code = ({ x }) => {
    const sum = (x: tf.Tensor) => tf.add(tf.sum(run(x)), tf.sum(tf.mul(x, extra))) as tf.Scalar
    return { gradient: tf.grad(sum)(x as tf.Tensor) }
  }
  const found = [tf.tidy(() => code(given, { backward: () => {}, draw: () => {} }))]
  if (tf.getBackend() === 'simd') {
    const program = await programOf(given, values.length, code)
    found.push(program.run(given, 0))
    program.dispose()
  }
  const read = found.map(({ gradient }) => [...(gradient as tf.Tensor).dataSync()])
  tf.dispose([given, found])
  return read
}

describe.each(['cpu', 'simd'])('on %s, at once and as a program', (backend) => {
  beforeAll(async () => void (await tf.setBackend(backend)))

  it.each(TORCH)('equal values share the gradient as in PyTorch: %s', async (_, values, run, wanted) => {
    for (const found of await gradients(values, run, 0)) {
      expect(found.length).toBe(wanted.length)
      found.forEach((value, i) => void expect(value).toBeCloseTo(wanted[i] as number, 6))
    }
  })

  it.each(SAME)('what gives its input back counts once: %s', async (_, run, slope) => {
    for (const found of await gradients([1, -2, 3], run, 0.25)) {
      expect(found).toEqual([slope, slope, slope].map((each) => each + 0.25))
    }
  })
})

it('a shape cannot be changed', () => {
  const x = tf.ones([2, 3])
  expect(() => x.shape.reverse()).toThrow(TypeError)
  expect(x.shape).toEqual([2, 3])
  x.dispose()
})

it.each([-4, 3, 1.5])('running sums and products refuse an axis that there is not: %s', (axis) => {
  const x = tf.ones([2, 3, 4])
  expect(() => tf.cumsum(x, axis)).toThrow(`cumsum: no axis ${axis} of [2,3,4], expected -3 to 2`)
  expect(() => tf.cumprod(x, axis)).toThrow(`cumprod: no axis ${axis} of [2,3,4], expected -3 to 2`)
  x.dispose()
})

it('an axis without values has no largest one and no mean', () => {
  const empty = tf.zeros([2, 0, 3])
  expect(() => tf.max(empty, 1)).toThrow('max: axis 1 of [2,0,3] has no values')
  expect(() => tf.mean(empty, -2)).toThrow('mean: axis 1 of [2,0,3] has no values')
  expect(() => tf.argMin(empty, 1)).toThrow('argMin: axis 1 of [2,0,3] has no values')
  const kept = tf.max(empty, 2)
  expect(kept.shape).toEqual([2, 0])
  tf.dispose([empty, kept])
})
