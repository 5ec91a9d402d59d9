import * as tf from '@tensorflow/tfjs-core'
import { fileShape } from '../nn/layout.ts'
import { softmaxCrossEntropy } from '../nn/losses.ts'
import type { Forward, InputSpec } from '../nn/model.ts'
import { type Parameter, runInPass } from '../nn/scope.ts'
import { tracing } from '../trace/backend.ts'
import type { KernelCall, Recorder } from '../trace/recorder.ts'
import { optimizerKind } from '../train/optimizers/index.ts'
import { type Layer, layersOf } from './layers.ts'

/** What a model is made of, without making it. All for a batch of one. */
export interface Trace {
  /** Trained values. */
  parameters: number
  /** Trained values outside of the head, the layer called `head`. */
  parametersWithoutHead: number
  /** Multiply-adds of a forward pass. */
  macs: number
  /** The same for forward and backward pass. */
  trainingMacs: number
  /** Names and shapes as in a weights file. */
  tensors: { name: string; shape: number[] }[]
  layers: Layer[]
  /** Most bytes alive at once in a forward pass, input included, parameters not. */
  activationBytes: number
  /** Most bytes alive at once in forward and backward pass: input, target, activations and gradients, not parameters. */
  trainingBytes: number
  /** Operations of a forward pass that a backend has to execute; views do not count. */
  dispatches: number
  /** The same for a training step: forward and backward pass, loss, and the optimizer. */
  trainingDispatches: number
  /** Operations of a forward pass in order, views included. */
  graph: KernelCall[]
  /** Numbers, as in the graph, of the tensors that no operation makes: `input`, and parameters by name. */
  sources: Record<string, number>
}

export interface TraceOptions {
  /** What is compared with the output; one label for each row of its last axis by default. */
  target?: InputSpec
  /** Softmax cross entropy by default. */
  loss?: (output: tf.Tensor, target: tf.Tensor) => tf.Scalar
  /** Name of the optimizer, with its default options; `adamw` by default. */
  optimizer?: string
}

/** Runs a model forward, backward and through an optimizer on shapes alone. Throws what `tracing` throws. */
export async function traceModel(forward: Forward, spec: InputSpec, options: TraceOptions = {}): Promise<Trace> {
  const { loss = softmaxCrossEntropy, optimizer = 'adamw' } = options
  return tracing((recorder) => {
    const input = oneBlank(spec)
    const { parameters, output } = create(forward, input)
    const target = blank(options.target ?? { shape: output.shape.slice(0, -1), dtype: 'int32' })
    const run = (training: boolean) => runInPass({ ...PASS, parameters, training, create: null }, () => forward(input))

    const graph: KernelCall[] = []
    const inference = recorder.record(
      () => void tf.tidy(() => void run(false)),
      (call) => graph.push(call),
    )
    const all = [...parameters.values()]
    const trained = all.filter((parameter) => parameter.trained)
    const training = trainingStep(recorder, trained, () => loss(run(true), target), optimizer)

    const size = (some: Parameter[]) => some.reduce((sum, { shape }) => sum + tf.util.sizeFromShape(shape), 0)
    return {
      parameters: size(trained),
      parametersWithoutHead: size(trained.filter(({ name }) => !name.startsWith('head.'))),
      macs: graph.reduce((sum, { macs }) => sum + macs, 0),
      trainingMacs: training.macs,
      tensors: tensorsOf(all),
      layers: layersOf(graph, trained),
      activationBytes: bytesOf(input) + inference.peak,
      trainingBytes: bytesOf(input) + bytesOf(target) + training.peak,
      dispatches: inference.dispatches,
      trainingDispatches: training.dispatches,
      graph,
      sources: Object.fromEntries([['input', input.id], ...all.map(({ name, variable }) => [name, variable.id])]),
    }
  })
}

/** Multiply-adds of a forward pass for a batch of one, as in `traceModel`, without all else. Throws what `tracing` throws. */
export async function countMacs(forward: Forward, spec: InputSpec): Promise<number> {
  return (await outlineOf(forward, spec)).macs
}

/** Most bytes alive at once in a forward pass for a batch of one, as in `traceModel`. Throws what `tracing` throws. */
export async function activationBytes(forward: Forward, spec: InputSpec): Promise<number> {
  return tracing((recorder) => {
    const input = oneBlank(spec)
    const { parameters } = create(forward, input)
    const pass = { ...PASS, parameters, training: false, create: null }
    return bytesOf(input) + recorder.record(() => void tf.tidy(() => runInPass(pass, () => forward(input)))).peak
  })
}

/** What `outlineOf` says of a model. */
export interface Outline {
  /** Multiply-adds, as `countMacs`. */
  macs: number
  /** Their variables are gone. */
  parameters: Parameter[]
  /** Most axes of a tensor that an operation takes or gives; views do not count. */
  axes: number
}

/** The outline of a model. Throws what `tracing` throws. */
export async function outlineOf(forward: Forward, spec: InputSpec): Promise<Outline> {
  return tracing((recorder) => {
    const input = oneBlank(spec)
    let macs = 0
    let axes = 0
    let parameters: Parameter[] = []
    recorder.record(
      () => {
        parameters = [...create(forward, input).parameters.values()]
      },
      (call) => {
        macs += call.macs
        const tensors = call.view ? [] : [...Object.values(call.operands), ...call.results]
        axes = Math.max(axes, ...tensors.map((tensor) => tensor?.shape.length ?? 0))
      },
    )
    return { macs, parameters, axes }
  })
}

/** A tensor of a model as in a weights file. */
export interface ModelTensor extends Pick<Parameter, 'name' | 'shape' | 'tokenGrid'> {
  /** Not of the stem or a block. */
  inHead: boolean
}

/** All tensors of a model, stem and blocks first. Throws what `tracing` throws. */
export async function modelTensors(forward: Forward, spec: InputSpec): Promise<ModelTensor[]> {
  return tracing(() => {
    let count = 0
    const { parameters } = create(forward, oneBlank(spec), (made) => {
      count = made
    })
    return [...parameters.values()].map(({ name, shape, layout, tokenGrid }, i) => {
      return { name, shape: fileShape(shape, layout), tokenGrid, inHead: i >= count }
    })
  })
}

const PASS = { seed: 0, step: 0, dropPath: 0 }

const tensorsOf = (parameters: Parameter[]) =>
  parameters.map(({ name, shape, layout }) => ({ name, shape: fileShape(shape, layout) }))

/** A tensor of no particular values. */
function blank({ shape, dtype = 'float32' }: InputSpec): tf.Tensor {
  return tf.fill(shape, 0, dtype)
}

/** A batch of one for a model. */
export function oneBlank(spec: InputSpec): tf.Tensor {
  return blank({ ...spec, shape: [1, ...spec.shape.slice(1)] })
}

/** The parameters of a model, and what it gives; `onBlock` gets the number of parameters after each block. To be called while tracing. */
export function create(
  forward: Forward,
  input: tf.Tensor,
  onBlock?: (parameters: number) => void,
): { parameters: Map<string, Parameter>; output: tf.Tensor } {
  const parameters = new Map<string, Parameter>()
  const create = (_name: string, shape: number[]) => tf.variable(tf.fill(shape, 0))
  const pass = { ...PASS, parameters, training: false, create, onBlock: () => onBlock?.(parameters.size) }
  const output = tf.tidy(() => runInPass(pass, () => forward(input)))
  return { parameters, output }
}

/** The most bytes alive in forward and backward pass, their multiply-adds, and the number of operations with the optimizer's. */
function trainingStep(
  recorder: Recorder,
  parameters: Parameter[],
  loss: () => tf.Scalar,
  optimizer: string,
): { peak: number; macs: number; dispatches: number } {
  const reached: Parameter[] = []
  let macs = 0
  const differentiate = () => {
    const variables = parameters.map(({ variable }) => variable)
    const { grads } = tf.variableGrads(loss, variables)
    reached.push(...parameters.filter(({ variable }) => grads[variable.name])) // the output need not depend on all
  }
  const { peak, dispatches } = recorder.record(
    () => tf.tidy(differentiate),
    (call) => {
      macs += call.macs
    },
  )
  return { peak, macs, dispatches: dispatches + optimizerDispatches(recorder, reached, optimizer) }
}

/**
 * The operations of one update. They are as many for a parameter of any size; it is counted on those of size 1, since
 * for the large ones tfjs would make arrays of zeros.
 */
function optimizerDispatches(recorder: Recorder, parameters: Parameter[], optimizer: string): number {
  const small = parameters.map((parameter) => {
    const shape = parameter.shape.map(() => 1)
    return { ...parameter, shape, variable: tf.variable(tf.fill(shape, 0)) }
  })
  const gradients = Object.fromEntries(small.map(({ name, shape }) => [name, tf.fill(shape, 0)]))
  const kind = optimizerKind(optimizer)
  const created = kind.create(kind.resolve({}), small)
  return recorder.record(() => created.update(gradients, 1)).dispatches
}

const bytesOf = ({ size, dtype }: tf.Tensor) => size * tf.util.bytesPerElement(dtype)
