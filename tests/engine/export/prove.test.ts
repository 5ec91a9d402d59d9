import * as tf from '@tensorflow/tfjs-core'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { formats } from '../../../engine/export/formats/index.ts'
import type { Reader } from '../../../engine/export/formats/types.ts'
import { EXAMPLES, type Proof, prove, TOLERANCE } from '../../../engine/export/prove.ts'
import type { Model } from '../../../engine/nn/model.ts'
import type { Task } from '../../../engine/tasks/types.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { exported, type Trained, trained } from './trained.ts'

onSimd()

/** A model that says its inputs, `[examples, 2]`, and a task with so many examples in each split. */
function twice(sizes: Record<string, number>, tests?: string[]) {
  const read: [string, number][] = []
  const asked: string[] = []
  const model = { apply: (input: tf.Tensor) => tf.clone(input) } as unknown as Model
  const task = {
    tests,
    async *evalBatches(split: string, batch: number, examples: number) {
      asked.push(split)
      for (let left = Math.min(sizes[split] ?? 0, examples); left > 0; left -= batch) {
        const count = Math.min(batch, left)
        read.push([split, count])
        yield { input: tf.ones([count, 2]) }
      }
    },
  } as unknown as Task
  return { model, task, read, asked }
}
const same: Reader = ({ input }) => tf.clone(input)

async function proven(sizes: Record<string, number>, read: Reader = same, tests?: string[]) {
  const own = twice(sizes, tests)
  const soFar: Proof[] = []
  const before = tf.memory().numTensors
  const proof = await prove(own.model, own.task, read, (proof) => soFar.push(proof))
  expect(tf.memory().numTensors).toBe(before)
  return { proof, soFar, read: own.read, asked: own.asked }
}

describe('a proof', () => {
  it('is on 64 validation examples, in batches of two sizes', async () => {
    const { proof, read, asked } = await proven({ validation: 100, test: 100 })
    expect(asked).toEqual(['validation'])
    expect(read).toEqual([
      ['validation', 24],
      ['validation', 24],
      ['validation', 16],
    ])
    expect([proof, EXAMPLES]).toEqual([{ examples: 64, difference: 0 }, 64])
  })
  it('takes tests where validation has fewer, one after the other, as far as there are any', async () => {
    expect((await proven({ validation: 44, test: 100 })).read.slice(1)).toEqual([
      ['validation', 20],
      ['test', 20],
    ])
    const few = await proven({ validation: 10, test: 5, mismatched: 7 }, same, ['test', 'mismatched'])
    expect([few.proof.examples, few.read.map(([split]) => split)]).toEqual([22, ['validation', 'test', 'mismatched']])
  })
  it('grows with each batch, and none changes afterwards', async () => {
    let batch = 0
    const worse: Reader = ({ input }) => tf.tidy(() => tf.add(input, [0.5, 0.125, 0.25][batch++] as number))
    const { proof, soFar } = await proven({ validation: 64 }, worse)
    expect(soFar).toEqual([
      { examples: 24, difference: 0.5 },
      { examples: 48, difference: 0.5 },
      { examples: 64, difference: 0.5 },
    ])
    expect(proof).toEqual(soFar.at(-1))
  })
  it.each<[string, Reader, number]>([
    ['the largest, be it below', ({ input }) => tf.tidy(() => tf.add(input, [[0.25, -0.5]])), 0.5],
    [
      'of one logit, the last',
      ({ input }) =>
        tf.tidy(() =>
          tf.add(input, [
            [0, 0],
            [0, 0],
            [0, 1],
          ]),
        ),
      1,
    ],
    ['that cannot be compared: not a number', ({ input }) => tf.tidy(() => tf.mul(input, Number.NaN)), Infinity],
    ['that cannot be compared: other shapes', ({ input }) => tf.tidy(() => tf.reshape(input, [-1])), Infinity],
  ])('is of the difference %s', async (_, reader, difference) => {
    expect((await proven({ validation: 3 }, reader)).proof).toEqual({ examples: 3, difference })
  })
})

describe('a file', () => {
  const NOTEBOOK = `// %% cells
import { compare, image, mixer, shapes } from 'mixlab'
export const images = compare('images', {
  task: image({ data: shapes({ size: 16, train: 100, validation: 0.2, test: 20 }) }),
  variants: { mixer }, model: { patch: 4, dim: 8, depth: 1 }, train: { steps: 2, batch: 8 }, seeds: 1,
})
`
  let mixer: Trained
  beforeAll(async () => {
    mixer = (await trained(NOTEBOOK))[0] as Trained
  })
  afterEach(() => void vi.restoreAllMocks())

  /** Lets a format write every bias of the head so much larger, by which every logit is off. */
  function off(format: 'safetensors' | 'npz', by: number) {
    const { write } = formats[format]
    vi.spyOn(formats[format], 'write').mockImplementation((model, name) => {
      const tensors = model.tensors.map((tensor) => {
        return tensor.name === 'head.bias'
          ? { ...tensor, values: Float32Array.from(tensor.values, (x) => x + by) }
          : tensor
      })
      return write({ ...model, tensors }, name)
    })
  }

  it.each(['safetensors', 'npz'] as const)(
    'whose weights are off by a little more than rounding is refused: %s',
    async (format) => {
      expect(TOLERANCE).toBe(1e-4)
      for (const by of [1.1e-4, 1e-3]) {
        off(format, by)
        await expect(exported(mixer, format)).rejects.toThrow(
          new RegExp(
            `^run 1: not written: a logit of the ${format} file differs from that of the model by 0.00\\d+ on 45 examples, expected at most 0.0001; export it in another format$`,
          ),
        )
        vi.restoreAllMocks()
      }
      off(format, 0.9e-4)
      const { proof } = await exported(mixer, format)
      expect(proof.difference).toBeCloseTo(0.9e-4, 6)
    },
  )
})
