import * as tf from '@tensorflow/tfjs'
import { afterEach, describe, expect, it } from 'vitest'
import { add, block, dense, mul, type NormalOptions, random, type UniformOptions } from '../../../../engine/nn/index.ts'
import { type Pass, runInPass } from '../../../../engine/nn/scope.ts'
import { differentiator } from '../../../../engine/train/differentiate.ts'
import { lossOf, smallBatch, smallModel } from '../../compile/models.ts'
import { leaveSimd, useThreads } from '../../compile/setup.ts'

type Draw = () => tf.Tensor

/** What some draws of one pass are. */
function drawn(draws: Draw[], pass: Partial<Pass> = {}): number[][] {
  const all: Pass = { parameters: new Map(), seed: 1, create: null, training: true, step: 0, dropPath: 0, ...pass }
  return tf.tidy(() => runInPass(all, () => draws.map((draw) => [...draw().dataSync()])))
}

const many = [100, 101]
const uniform =
  (options?: UniformOptions, name = 'a'): Draw =>
  () =>
    random.uniform(name, many, options)
const normal =
  (options?: NormalOptions, name = 'a'): Draw =>
  () =>
    random.normal(name, many, options)
const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const deviationOf = (values: number[]) => Math.sqrt(meanOf(values.map((value) => (value - meanOf(values)) ** 2)))

describe('random numbers of a block', () => {
  it('are uniform from low to high', () => {
    const [values = []] = drawn([uniform({ low: 2, high: 4 })])
    expect(Math.min(...values)).toBeGreaterThanOrEqual(2)
    expect(Math.max(...values)).toBeLessThan(4)
    expect(meanOf(values)).toBeCloseTo(3, 1)
    expect(deviationOf(values)).toBeCloseTo(2 / Math.sqrt(12), 1)
  })
  it('are normal, with neighbours that do not depend on each other', () => {
    const [values = []] = drawn([normal({ mean: -1, deviation: 2 })])
    expect(meanOf(values)).toBeCloseTo(-1, 1)
    expect(deviationOf(values)).toBeCloseTo(2, 1)
    const products = values.slice(1).map((value, i) => (value + 1) * ((values[i] as number) + 1))
    expect(meanOf(products) / 4).toBeCloseTo(0, 1)
  })
  it.each([
    ['uniform', uniform],
    ['normal', normal],
  ] as const)('%s: depend on seed, step and name, and on nothing else', (_, draw) => {
    const [first] = drawn([draw()])
    expect(drawn([draw({}, 'b'), draw()])[1]).toEqual(first)
    expect(drawn([draw({}, 'b')])[0]).not.toEqual(first)
    expect(drawn([draw()], { step: 1 })[0]).not.toEqual(first)
    expect(drawn([draw()], { seed: 2 })[0]).not.toEqual(first)
  })
  it('are their mean in evaluation, unless they are asked for: then the same in each', () => {
    const off = { training: false }
    expect(new Set(drawn([uniform({ low: 1, high: 4 })], off)[0])).toEqual(new Set([2.5]))
    expect(new Set(drawn([normal({ mean: 3 })], off)[0])).toEqual(new Set([3]))
    const [first] = drawn([normal({ evaluation: true })], off)
    expect(new Set(first).size).toBeGreaterThan(1000)
    expect(drawn([normal({ evaluation: true })], { ...off, step: 5 })[0]).toEqual(first)
    expect(drawn([normal({ evaluation: true })])[0]).not.toEqual(first)
  })
  it('have a name of their own in each block', () => {
    expect(() => drawn([uniform(), uniform()])).toThrow('a: name used twice in one model')
    const many = () => random.normal('many', [65536, 65536])
    expect(() => drawn([many])).toThrow('many: shape [65536,65536] has 4294967296 values, expected at most 1073741824')
  })
  it.each<[string, () => tf.Tensor]>([
    ['random.uniform: only works inside a block, while a model runs', () => random.uniform('a', [2])],
    ['random.uniform.high: 0, expected more than low', () => random.uniform('a', [2], { high: 0 })],
    ["random.normal: unknown option 'sd'", () => random.normal('a', [2], { sd: 1 } as NormalOptions)],
    ['random.normal.name', () => random.normal([2] as unknown as string, [2])],
    ['random.normal.shape', () => random.normal('a', 2 as unknown as number[])],
    ['random.normal.shape.0: -1', () => random.normal('a', [-1])],
  ])('%s', (why, run) => {
    expect(run).toThrow(why)
  })
})

describe('training with random numbers', () => {
  leaveSimd()
  const noisy = block('noisy', (x, { dim }) =>
    dense(
      mul(
        add(x, random.uniform('shift', [1, ...x.shape.slice(1)], { low: -1 })),
        add(1, random.normal('scale', x.shape)),
      ),
      dim,
    ),
  )
  let disposed: (() => void)[] = []
  afterEach(() => {
    for (const each of disposed) each()
    disposed = []
  })

  /** The bits of loss and gradients of some steps. */
  async function bitsOf(steps: number[], program: boolean): Promise<number[][][]> {
    const model = smallModel(noisy, 'features', { depth: 2 })
    const batch = smallBatch('features', 4)
    const differences = differentiator(model, lossOf(model), { program })
    disposed.push(() => {
      differences.dispose()
      model.dispose()
      tf.dispose(batch)
    })
    const found: number[][][] = []
    for (const step of steps) {
      const { loss, gradients } = await differences.run(batch, step)
      found.push([loss, ...Object.values(gradients)].map((tensor) => [...tensor.dataSync()]))
      tf.dispose([loss, gradients])
    }
    expect(differences.fallback()).toBe(null)
    return found
  }

  it('has the same bits as a program, by any number of threads, and after a pause; other ones in each step', async () => {
    await useThreads(1)
    const wanted = await bitsOf([0, 1, 2], true)
    expect(wanted[1]).not.toEqual(wanted[0])
    expect(await bitsOf([0, 1, 2], false)).toEqual(wanted)
    expect(await bitsOf([2], true)).toEqual(wanted.slice(2))
    await useThreads(3)
    expect(await bitsOf([0, 1, 2], true)).toEqual(wanted)
  })
})
