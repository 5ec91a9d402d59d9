import * as tf from '@tensorflow/tfjs'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { recordGraph } from '../../../engine/compile/record.ts'
import { registerGradients } from '../../../engine/gradients/register.ts'
import { LONG } from '../../long.ts'
import { useSimd } from '../backends/simd/setup.ts'
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
const tried = (cases: Case[]) => (LONG ? cases : cases.filter((_, i) => i % Math.ceil(cases.length / 6) === 0))

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
