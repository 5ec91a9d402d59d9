import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import type { SimdBackend } from '../../../../engine/backends/simd/backend.ts'
import { simdKernels } from '../../../../engine/backends/simd/register.ts'
import { relativeError } from '../../../../engine/conformance/check.ts'
import { PLAIN } from '../../../../engine/nn/layout.ts'
import type { Parameter } from '../../../../engine/nn/scope.ts'
import { keyOf, normal } from '../../../../engine/random.ts'
import { clipByGlobalNorm, globalNorm } from '../../../../engine/train/clip.ts'
import { movingAverage } from '../../../../engine/train/ema.ts'
import { optimizerKind } from '../../../../engine/train/optimizers/index.ts'
import { onSimd } from './setup.ts'
import { tensor, withThreads } from './threads.ts'

const shapes = [[1], [3], [4], [5, 7], [64, 65], [4096], [4097], [3, 5, 1009]]
const adam = { beta1: 0.9, beta2: 0.99, eps: 1e-6, weightDecay: 0.1 }
const KERNELS = ['AdamWUpdate', 'AverageUpdate', 'GlobalNorm', 'LambUpdate', 'ScaleAll', 'SgdUpdate']

function draws(shape: number[], name: string, scale: number): tf.Tensor {
  const key = keyOf(1, name)
  const size = tf.util.sizeFromShape(shape)
  return tf.tensor(
    Float32Array.from({ length: size }, (_, i) => scale * normal(key, i)),
    shape,
  )
}

/** Parameters of all shapes, each with and without weight decay, and two of zeros. */
function makeParameters(): Parameter[] {
  return [true, false].flatMap((decay) =>
    [...shapes, [2, 9]].map((shape, i) => {
      const name = `${i} ${decay}`
      const variable = tf.tidy(() => tf.variable(draws(shape, name, i === shapes.length ? 0 : 1)))
      return { name, shape, layout: PLAIN, decay, trained: true, variable }
    }),
  )
}

/** Gradients of a step; those of the parameters of zeros are zeros until the third. */
function gradientsOf(parameters: Parameter[], step: number): tf.NamedTensorMap {
  const entries = parameters.map(({ name, shape }, i) => {
    const zero = i % (shapes.length + 1) === shapes.length && step < 3
    return [name, draws(shape, `${name} ${step}`, zero ? 0 : 0.3 * step)] as const
  })
  return Object.fromEntries(entries)
}

/** All values of parameters and state after five steps. */
function trajectory(name: string, options: Record<string, unknown>): Record<string, Float32Array> {
  const parameters = makeParameters()
  const kind = optimizerKind(name)
  const optimizer = kind.create(kind.resolve(options), parameters)
  for (let step = 1; step <= 5; step++) {
    tf.tidy(() => optimizer.update(gradientsOf(parameters, step), 0.01 * step))
  }
  const values = [...parameters.map(({ name, variable }) => [name, variable] as const)]
  values.push(...Object.entries(optimizer.state().tensors))
  const result = Object.fromEntries(values.map(([name, variable]) => [name, variable.dataSync<'float32'>()]))
  optimizer.dispose()
  tf.dispose(parameters.map(({ variable }) => variable))
  return result
}

/** Runs `body` as if the backend had none of the kernels: in operations of tfjs. */
function composed<T>(body: () => T): T {
  const configs = KERNELS.map((kernel) => tf.getKernel(kernel, 'simd'))
  for (const kernel of KERNELS) tf.unregisterKernel(kernel, 'simd')
  try {
    return body()
  } finally {
    for (const config of configs) tf.registerKernel(config)
  }
}

describe('updates of all parameters at once', () => {
  onSimd()

  it.each([
    ['adamw', {}],
    ['adamw', { eps: 1e-2, weightDecay: 0.3 }],
    ['adamw', { beta1: 0, beta2: 0, weightDecay: 0 }],
    ['sgd', {}],
    ['sgd', { momentum: 0, weightDecay: 0 }],
    ['sgd', { nesterov: true, weightDecay: 0.1 }],
  ])('%s %j: to the bit what the operations give', (name, options) => {
    expect(trajectory(name, options)).toEqual(composed(() => trajectory(name, options)))
  })

  it.each([{}, { maxGradNorm: null }, { maxGradNorm: 1e4, eps: 1e-2 }, { weightDecay: 0 }, { beta1: 0, beta2: 0 }])(
    'lamb %j: what the operations give but for the accuracy of the norms',
    (options) => {
      const found = trajectory('lamb', options)
      for (const [name, values] of Object.entries(composed(() => trajectory('lamb', options)))) {
        expect(relativeError(found[name] ?? [], values), name).toBeLessThan(1e-6)
      }
    },
  )

  it('the moving average: to the bit', async () => {
    const run = async () => {
      const parameters = makeParameters()
      const variables = parameters.map(({ variable }) => variable)
      const average = movingAverage(parameters, 0.9)
      for (let step = 1; step <= 3; step++) {
        tf.tidy(() => {
          const values = gradientsOf(parameters, step)
          for (const { name, variable } of parameters) variable.assign(values[name] as tf.Tensor)
        })
        average.update(step)
      }
      const averages = await average.withAveragedWeights(async () => variables.map((variable) => variable.dataSync()))
      average.dispose()
      tf.dispose(variables)
      return averages
    }
    expect(await run()).toEqual(await composed(run))
  })

  it('clipped gradients and their norm', () => {
    const gradients = shapes.map((shape, i) => draws(shape, `gradient ${i}`, 1))
    const exact = Math.sqrt(gradients.flatMap((each) => [...each.dataSync()]).reduce((sum, x) => sum + x * x, 0))
    tf.tidy(() => {
      expect(globalNorm(gradients).dataSync()[0]).toBe(Math.fround(exact))
      const named = Object.fromEntries(gradients.map((gradient, i) => [`${i}`, gradient]))
      const clipped = clipByGlobalNorm(named, 2)
      const wanted = composed(() => clipByGlobalNorm(named, 2))
      for (const [name, { shape }] of Object.entries(named)) {
        expect(clipped.gradients[name]?.shape).toEqual(shape)
        const [found, values] = [clipped, wanted].map(({ gradients }) => gradients[name]?.dataSync() ?? [])
        expect(relativeError(found ?? [], values ?? [])).toBeLessThan(1e-6)
      }
    })
    tf.dispose(gradients)
  })

  it('take no notice of what is in memory behind the values', async () => {
    const ratio = (memory: number) => {
      const blocks = Array.from({ length: 8 }, () => tf.tidy(() => tf.square(tf.fill([16], memory))))
      tf.dispose(blocks) // what comes next gets their memory
      const variable = tf.tidy(() => tf.variable(tf.tensor1d([3])))
      const optimizer = optimizerKind('lamb').create({ ...adam, maxGradNorm: 1 }, [
        { name: 'w', shape: [1], layout: PLAIN, decay: true, trained: true, variable },
      ])
      tf.tidy(() => optimizer.update({ w: tf.square(tf.tensor1d([4])) }, 0.1))
      const [value] = variable.dataSync()
      optimizer.dispose()
      variable.dispose()
      return value
    }
    expect(ratio(Number.NaN)).toBe(ratio(0))
  })

  it('give the same bits with one, two or three threads', async () => {
    const all = await Promise.all([1, 2, 3].map(withThreads))
    const attrs = { ...adam, step: 1, learningRate: 0.1, momentum: 0.9, nesterov: true, maxGradNorm: 1, decay: 0.9 }
    const sizes = [...shapes, [300, 301]]
    const decays = sizes.map((_, i) => i % 2 === 0)
    for (const [kernel, columns] of [
      ['AdamWUpdate', 4],
      ['AverageUpdate', 2],
      ['GlobalNorm', 1],
      ['LambUpdate', 4],
      ['SgdUpdate', 3],
    ] as const) {
      const results = all.map(({ backend }) => {
        const names = ['x', 'y', 'z', 'square'].slice(0, columns)
        const inputs = names.flatMap((name) => sizes.map((shape, i) => positive(backend, shape, `${name} ${i}`)))
        const call = { inputs: inputs as unknown as tf.NamedTensorInfoMap, attrs: { ...attrs, decays }, backend }
        const outputs = [simdKernels[kernel]?.(call) ?? []].flat()
        return [...outputs, ...inputs].map(({ dataId }) => backend.readSync(dataId))
      })
      expect(results[1], kernel).toEqual(results[0])
      expect(results[2], kernel).toEqual(results[0])
    }
    for (const { backend, ended } of all) {
      backend.dispose()
      await ended
    }
  })
})

/** Draws above 0, as means of squares are. */
function positive(backend: SimdBackend, shape: number[], name: string): tf.TensorInfo {
  const info = tensor(backend, shape, name)
  const values = (backend.readSync(info.dataId) as Float32Array).map(Math.abs)
  return backend.makeTensorInfo(shape, 'float32', values)
}
