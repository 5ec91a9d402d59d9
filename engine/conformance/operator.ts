import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { type Activation, activate } from '../nn/layers/activation.ts'
import { batchNorm } from '../nn/layers/batchNorm.ts'
import { layerNorm } from '../nn/layers/layerNorm.ts'
import { relativeBucket } from '../nn/layers/relativePosition.ts'
import { createModel, type Forward, type Model } from '../nn/model.ts'
import { loadTensors } from '../weights/model.ts'
import type { Case } from './case.ts'
import { type Check, largestDifference, relativeError, tolerances } from './check.ts'

/** The tensor that tells an operator's case apart, to its check. */
const operators: Record<string, (golden: Case) => Check[]> = {
  derivative: checkGelu,
  running_mean: checkBatchNorm,
  'tol.output': checkLayerNorm,
  relative_position: checkBuckets,
}

/** One operator, forward and backward. Throws MixlabError for a case of another kind. */
export function checkOperator(golden: Case): Check[] {
  const [, check] = Object.entries(operators).find(([tensor]) => golden.has(tensor)) ?? []
  if (!check) throw new MixlabError('weights', golden.name, `unknown operator '${golden.metadata.architecture}'`)
  return tf.tidy(() => check(golden))
}

function stored(golden: Case, name: string): tf.Tensor {
  const { shape, values } = golden.tensor(name)
  return tf.tensor(Float32Array.from(values), shape)
}

function checkGelu(golden: Case): Check[] {
  const form: Activation = golden.config.text('approximate') === 'tanh' ? 'gelu_tanh' : 'gelu'
  const x = stored(golden, 'input')
  const values = golden.tensor('input').values
  const scaled = (y: ArrayLike<number>) =>
    Float64Array.from(y, (v, i) => v / Math.max(1, Math.abs(values[i] as number)))
  const output = scaled(activate(x, form).dataSync())
  const derivative = tf
    .grad((x) => tf.sum(activate(x, form)))(x)
    .dataSync()
  return [
    {
      tensor: 'output',
      error: largestDifference(output, scaled(golden.tensor('output').values)),
      tolerance: tolerances.gelu,
    },
    {
      tensor: 'derivative',
      error: largestDifference(derivative, golden.tensor('derivative').values),
      tolerance: tolerances.geluDerivative,
    },
  ]
}

function checkBuckets(golden: Case): Check[] {
  const distances = [...golden.tensor('relative_position').values]
  return [...golden.below('bucket.')].map(([name, { values }]) => {
    const [buckets, largest] = name.split('.').map(Number) as [number, number]
    const own = distances.map((distance) => relativeBucket(distance, buckets, largest))
    return { tensor: `bucket.${name}`, error: largestDifference(own, values), tolerance: 0 }
  })
}

/** LayerNorm against bounds for each element: the error is the largest share of its bound. */
function checkLayerNorm(golden: Case): Check[] {
  const eps = golden.config.number('eps')
  return withGradients(golden, stored(golden, 'input'), stored(golden, 'grad_output'), (x) =>
    layerNorm(x, { name: 'op', eps }),
  ).map(([tensor, own]) => {
    const bounds = golden.tensor(`tol.${tensor}`).values
    const reference = golden.tensor(tensor).values
    const shares = [...own].map((value, i) => {
      const difference = Math.abs(value - (reference[i] as number))
      return difference === 0 ? 0 : difference / (bounds[i] as number)
    })
    return { tensor, error: shares.some(Number.isNaN) ? Number.POSITIVE_INFINITY : Math.max(...shares), tolerance: 1 }
  })
}

/** One training step of batch normalisation; images in the case have channels first. */
function checkBatchNorm(golden: Case): Check[] {
  const eps = golden.config.number('eps')
  const momentum = golden.config.number('momentum')
  const last = (name: string) => tf.transpose(stored(golden, name), [0, 2, 3, 1])
  const moved: [string, ArrayLike<number>][] = []
  const results = withGradients(
    golden,
    last('input'),
    last('grad_output'),
    (x) => batchNorm(x, { name: 'op', eps, momentum }),
    (model) => {
      for (const { name, variable } of model.parameters) {
        if (name.startsWith('op.running')) moved.push([`new_${name.slice(3)}`, variable.dataSync()])
      }
    },
  )
  return [...results, ...moved].map(([tensor, own]) => {
    const reference = golden.tensor(tensor)
    const values = reference.shape.length === 4 ? last(tensor).dataSync() : reference.values
    return { tensor, error: relativeError(own, values), tolerance: tolerances.step }
  })
}

type Results = [tensor: string, values: ArrayLike<number> & Iterable<number>][]

/** Output and gradients of a layer with weight and bias, in training mode, as the tensors of a case are called. */
function withGradients(
  golden: Case,
  x: tf.Tensor,
  given: tf.Tensor,
  forward: Forward,
  after: (model: Model) => void = () => {},
): Results {
  const model = createModel(forward, { shape: x.shape }, 0)
  const input = tf.variable(x)
  try {
    const tensors = model.parameters.map(({ name }) => ({ ...golden.tensor(name.slice(3)), name }))
    loadTensors(model.parameters, tensors, golden.name)
    let output: tf.Tensor | null = null
    const { grads } = tf.variableGrads(() => {
      output = tf.keep(model.apply(input, { training: true })) // outlives the tape
      return tf.sum(tf.mul(output, given)) as tf.Scalar
    }, [input, ...model.trained.map(({ variable }) => variable)])
    after(model)
    const gradients = model.trained.map(
      ({ name, variable }) => [`grad_${name.slice(3)}`, grads[variable.name]] as const,
    )
    const results = [['output', output as tf.Tensor | null], ['grad_input', grads[input.name]], ...gradients] as const
    const values = results.map(([name, tensor]): Results[number] => [name, (tensor as tf.Tensor).dataSync()])
    tf.dispose(output ?? [])
    return values
  } finally {
    input.dispose()
    model.dispose()
  }
}
