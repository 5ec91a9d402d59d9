import * as tf from '@tensorflow/tfjs-core'
import { type Parameter, type Pass, runInPass } from './scope.ts'

/** What text models get beside token ids. */
export interface TextExtras {
  /** Segment of each token, `[batch, tokens]`. */
  types?: tf.Tensor
  /** 0 where a token is padding, `[batch, tokens]`. */
  mask?: tf.Tensor
  /** Tokens that the output is wanted for, int32 `[batch, places]`; all by default. */
  positions?: tf.Tensor
}

/** The code of a model: from an input batch to logits, in the block language. */
export type Forward = (input: tf.Tensor, extras?: TextExtras) => tf.Tensor

/** How a model runs this time; for evaluation by default. */
export type Mode = Partial<
  Pick<Pass, 'training' | 'step' | 'onBlock' | 'onAttention' | 'onDraw' | 'blank' | 'instead' | 'ablated'>
>

export interface Model {
  /** Everything that is kept in a weights file. */
  parameters: Parameter[]
  /** The parameters that gradients reach. */
  trained: Parameter[]
  /** Number of trained values. */
  size: number
  /** Logits for a batch. With `training`, stochastic depth draws by (seed, step). Call inside `tf.tidy`. */
  apply(input: tf.Tensor, mode?: Mode, extras?: TextExtras): tf.Tensor
  dispose(): void
}

/** Shape, with the batch axis, and type of what a model reads. */
export interface InputSpec {
  shape: number[]
  /** `int32` for token ids. */
  dtype?: 'float32' | 'int32'
}

/** Makes a model for such inputs, initialised by `seed`, on the current backend. */
export function createModel(forward: Forward, { shape, dtype = 'float32' }: InputSpec, seed: number): Model {
  const parameters = new Map<string, Parameter>()
  const create: Pass['create'] = (_name, shape, fill) => variableOf(shape, fill)
  const pass = { parameters, seed, training: false, step: 0, dropPath: 0 }
  try {
    tf.tidy(() => {
      runInPass({ ...pass, create }, () => forward(tf.zeros([1, ...shape.slice(1)], dtype)))
    })
  } catch (error) {
    for (const { variable } of parameters.values()) variable.dispose()
    throw error
  }
  const all = [...parameters.values()]
  const trained = all.filter((parameter) => parameter.trained)
  return {
    parameters: all,
    trained,
    size: parameterCount(trained),
    apply: (input, mode, extras) => runInPass({ ...pass, ...mode, create: null }, () => forward(input, extras)),
    dispose: () => {
      for (const { variable } of all) variable.dispose()
    },
  }
}

/** A backend that has memory of its own, in which values can be written. */
interface WithMemory {
  /** A tensor whose values are still to be written, and where. */
  blank(shape: number[]): { info: tf.TensorInfo; values: Float32Array }
}

/** A variable with what `fill` gives. */
const variableOf = (shape: number[], fill: Fill): tf.Variable => tf.variable(filledTensor(shape, fill))

/** Gives the values of a tensor: those of `into()`, where that is given and they have been written there, or others. */
export type Fill = (into?: () => Float32Array) => Float32Array

/**
 * A float32 tensor with what `fill` gives, written where the backend has it: an array that is left behind for each tensor
 * would be memory that the process keeps.
 */
export function filledTensor(shape: number[], fill: Fill): tf.Tensor {
  const backend = tf.backend()
  if (!hasMemory(backend)) return tf.tensor(fill(), shape)
  let blank: ReturnType<WithMemory['blank']> | undefined
  try {
    const given = fill(() => {
      blank = backend.blank(shape)
      return blank.values
    })
    // an array whose memory has moved while it was filled is empty: an error, not a tensor without values
    if (!blank || given !== blank.values || given.length === 0) return tf.tensor(given, shape)
    const { info } = blank
    blank = undefined
    return tf.engine().makeTensorFromTensorInfo(info, backend)
  } finally {
    if (blank) backend.disposeData(blank.info.dataId)
  }
}

function hasMemory(backend: tf.KernelBackend): backend is tf.KernelBackend & WithMemory {
  return 'blank' in backend
}

/** Number of values of some parameters. */
export function parameterCount(parameters: Parameter[]): number {
  return parameters.reduce((sum, { shape }) => sum + tf.util.sizeFromShape(shape), 0)
}
