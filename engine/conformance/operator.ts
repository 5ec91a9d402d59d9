import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { type Activation, activate } from '../nn/layers/activation.ts'
import { batchNorm } from '../nn/layers/batchNorm.ts'
import { layerNorm } from '../nn/layers/layerNorm.ts'
import { relativeBucket } from '../nn/layers/relativePosition.ts'
import { createModel, type Forward, type Model } from '../nn/model.ts'
import { loadTensors } from '../weights/model.ts'
import { type Case, channelsLast } from './case.ts'
import { type Check, largestDifference, type Pending, readAll, relativeError, tolerances } from './check.ts'
import { computing } from './computing.ts'
import { checkFunction } from './functions.ts'

/** The tensor that tells an operator's case apart, to its check. */
const operators: Record<string, (golden: Case) => Promise<Pending[]>> = {
  derivative: checkGelu,
  running_mean: checkBatchNorm,
  'tol.output': checkLayerNorm,
  relative_position: checkBuckets,
  'input.0': checkFunction,
}

/** One operator, forward and backward. Throws MixlabError for a case of another kind. */
export async function checkOperator(golden: Case): Promise<Check[]> {
  const [, check] = Object.entries(operators).find(([tensor]) => golden.has(tensor)) ?? []
  if (!check) throw new MixlabError('weights', golden.name, `unknown operator '${golden.metadata.architecture}'`)
  const found = await check(golden)
  try {
    golden.config.done()
  } catch (error) {
    tf.dispose(found.map(({ own }) => own))
    throw error
  }
  return readAll(found)
}

function stored(golden: Case, name: string): tf.Tensor {
  const { shape, values } = golden.tensor(name)
  return tf.tensor(Float32Array.from(values), shape)
}

async function checkGelu(golden: Case): Promise<Pending[]> {
  const form: Activation = golden.config.text('approximate') === 'tanh' ? 'gelu_tanh' : 'gelu'
  const x = { input: stored(golden, 'input') }
  const values = golden.tensor('input').values
  const scaled = (y: ArrayLike<number>) =>
    Float64Array.from(y, (v, i) => v / Math.max(1, Math.abs(values[i] as number)))
  const [output, derivative] = [golden.tensor('output').values, golden.tensor('derivative').values]
  const none = createModel((input) => tf.clone(input), { shape: x.input.shape }, 0)
  const code = computing(none, false, ({ input }) => ({
    output: activate(input as tf.Tensor, form),
    derivative: tf.grad((x) => tf.sum(activate(x, form)))(input as tf.Tensor),
  }))
  const found = await code.run(x, 0)
  code.dispose()
  x.input.dispose()
  return [
    {
      tensor: 'output',
      own: found.output as tf.Tensor,
      error: (own) => largestDifference(scaled(own), scaled(output)),
      tolerance: tolerances.gelu,
    },
    {
      tensor: 'derivative',
      own: found.derivative as tf.Tensor,
      error: (own) => largestDifference(own, derivative),
      tolerance: tolerances.geluDerivative,
    },
  ]
}

async function checkBuckets(golden: Case): Promise<Pending[]> {
  const distances = [...golden.tensor('relative_position').values]
  return [...golden.below('bucket.')].map(([name, { values }]) => {
    const [buckets, largest] = name.split('.').map(Number) as [number, number]
    const own = tf.tensor1d(distances.map((distance) => relativeBucket(distance, buckets, largest)))
    return { tensor: `bucket.${name}`, own, error: (own) => largestDifference(own, values), tolerance: 0 }
  })
}

/** LayerNorm against bounds for each element: the error is the largest share of its bound. */
async function checkLayerNorm(golden: Case): Promise<Pending[]> {
  const eps = golden.config.number('eps')
  golden.config.agrees('dim', golden.tensor('weight').shape[0])
  const results = await withGradients(golden, stored(golden, 'input'), stored(golden, 'grad_output'), (x) =>
    layerNorm(x, { name: 'op', eps }),
  )
  return results.map(([tensor, own]) => {
    const bounds = golden.tensor(`tol.${tensor}`).values
    const reference = golden.tensor(tensor).values
    const error = (own: ArrayLike<number>) => {
      const shares = Array.from(own, (value, i) => {
        const difference = Math.abs(value - (reference[i] as number))
        return difference === 0 ? 0 : difference / (bounds[i] as number)
      })
      return shares.some(Number.isNaN) ? Number.POSITIVE_INFINITY : Math.max(...shares)
    }
    return { tensor, own, error, tolerance: 1 }
  })
}

/** One training step of batch normalisation; images in the case have channels first. */
async function checkBatchNorm(golden: Case): Promise<Pending[]> {
  const eps = golden.config.number('eps')
  const momentum = golden.config.number('momentum')
  golden.config.agrees('layout', 'NCHW')
  const last = (name: string) => channelsLast(golden.tensor(name))
  const tensor = (name: string) => tf.tensor(last(name).values, last(name).shape)
  const moved: Results = []
  const results = await withGradients(
    golden,
    tensor('input'),
    tensor('grad_output'),
    (x) => batchNorm(x, { name: 'op', eps, momentum }),
    (model) => {
      for (const { name, variable } of model.parameters) {
        if (name.startsWith('op.running')) moved.push([`new_${name.slice(3)}`, tf.clone(variable)])
      }
    },
  )
  return [...results, ...moved].map(([tensor, own]) => {
    const { values } = last(tensor)
    return { tensor, own, error: (own) => relativeError(own, values), tolerance: tolerances.step }
  })
}

type Results = [tensor: string, own: tf.Tensor][]

/** Output and gradients of a layer with weight and bias, in training mode, as the tensors of a case are called. */
async function withGradients(
  golden: Case,
  x: tf.Tensor,
  given: tf.Tensor,
  forward: Forward,
  after: (model: Model) => void = () => {},
): Promise<Results> {
  const model = createModel(forward, { shape: x.shape }, 0)
  const code = computing(model, true, ({ input, slope }, { mode, parameters }) => {
    const variables = model.trained.map(({ name }) => parameters[name] as tf.Tensor)
    let output: tf.Tensor | null = null
    const { grads } = tf.engine().gradients(() => {
      output = tf.keep(model.apply(input as tf.Tensor, mode)) // outlives the tape
      return tf.sum(tf.mul(output, slope as tf.Tensor)) as tf.Scalar
    }, [input as tf.Tensor, ...variables])
    const named = ['grad_input', ...model.trained.map(({ name }) => `grad_${name.slice(3)}`)].map((name, i) => [
      name,
      grads[i],
    ])
    return { output: output as unknown as tf.Tensor, ...Object.fromEntries(named) }
  })
  try {
    const tensors = model.parameters.map(({ name }) => ({ ...golden.tensor(name.slice(3)), name }))
    loadTensors(model.parameters, tensors, golden.name)
    const results = await code.run({ input: x, slope: given }, 0)
    after(model)
    return Object.entries(results)
  } finally {
    tf.dispose([x, given])
    code.dispose()
    model.dispose()
  }
}
