import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { tracing } from '../trace/backend.ts'
import type { KernelCall, Recorder } from '../trace/recorder.ts'
import type { Draw, Graph, Operation, Use } from './graph.ts'

/** Shape and type of an input. */
export type Spec = Pick<tf.TensorInfo, 'shape' | 'dtype'>

/** What the recorded code tells about itself. */
export interface Marks {
  /** The backward pass begins here. */
  backward(): void
  /** `tensor` is drawn anew for every step. */
  draw(tensor: tf.Tensor, values: Draw['values']): void
}

/**
 * Runs `body` on shapes alone and returns what it does. `body` gets a tensor for each input and returns the outputs.
 * Throws a MixlabError for an operation without a shape rule, and for code that reads values or uses other tensors.
 */
export function record(
  inputs: Record<string, Spec>,
  body: (inputs: tf.NamedTensorMap, marks: Marks) => tf.NamedTensorMap,
): Promise<Graph> {
  return tracing((recorder) => recordWith(recorder, inputs, body), { fused: true, held: Number.POSITIVE_INFINITY })
}

function recordWith(
  recorder: Recorder,
  inputs: Record<string, Spec>,
  body: (inputs: tf.NamedTensorMap, marks: Marks) => tf.NamedTensorMap,
): Graph {
  // tensors of several types can share their data here
  const numbers = new Map<object, Partial<Record<tf.DataType, number>>>()
  const constants: Graph['constants'] = []
  const graph: Graph = { values: 0, operations: [], backward: 0, inputs: {}, constants, draws: [], outputs: {} }

  function define({ dataId, shape, dtype }: tf.TensorInfo): Use {
    const value = graph.values++
    numbers.set(dataId, { ...numbers.get(dataId), [dtype]: value })
    return { value, shape, dtype }
  }

  /** A value that no operation made is a constant of the code. */
  function use(tensor: tf.TensorInfo): Use {
    const value = numbers.get(tensor.dataId)?.[tensor.dtype]
    if (value !== undefined) return { value, shape: tensor.shape, dtype: tensor.dtype }
    const values = recorder.valuesOf(tensor)
    if (!values) throw new MixlabError('option', 'model', 'uses a tensor that was made outside of it')
    const constant = define(tensor)
    constants.push({ use: constant, values })
    return constant
  }

  function observe({ kernel, view, operands, attributes, results }: KernelCall): void {
    const given = Object.entries(operands).filter(([, tensor]) => tensor)
    const used = given.map(([name, tensor]) => [name, use(tensor as tf.TensorInfo)] as const)
    if (view && used[0]?.[1].dtype === results[0]?.dtype) return
    const operation: Operation = { kernel, attributes, inputs: Object.fromEntries(used), outputs: results.map(define) }
    graph.operations.push(operation)
  }

  const tensors: tf.NamedTensorMap = {}
  for (const [name, { shape, dtype }] of Object.entries(inputs)) {
    const dataId = tf.engine().backend.write(null as unknown as tf.BackendValues, shape, dtype)
    const tensor = tf.engine().makeTensorFromTensorInfo({ dataId, shape, dtype })
    tensors[name] = tensor
    graph.inputs[name] = define(tensor)
  }
  const marks: Marks = {
    backward: () => {
      graph.backward = graph.operations.length
    },
    draw: (tensor, values) => graph.draws.push({ use: define(tensor), values }),
  }
  recorder.record(() => {
    for (const [name, tensor] of Object.entries(body(tensors, marks))) graph.outputs[name] = use(tensor)
  }, observe)
  return graph
}
