import * as tf from '@tensorflow/tfjs-core'
import { Unrepeatable } from '../chance.ts'
import { MixlabError } from '../errors.ts'
import { tracing } from '../trace/backend.ts'
import type { Draw, Graph, Operation, Use } from './graph.ts'
import { type Observed, type OperationObserver, observingBackend, valuesNow } from './observingBackend.ts'

/** Shape and type of an input. */
export type Spec = Pick<tf.TensorInfo, 'shape' | 'dtype'>

/** Marks that the recorded code sets. */
export interface RecordingMarks {
  /** The backward pass begins here. */
  backward(): void
  /** `tensor` is drawn anew for every step. */
  draw(tensor: tf.Tensor, values: Draw['values'], source?: Draw['source']): void
}

/** Code of tensors: from inputs by name to outputs by name. */
export type Code = (inputs: tf.NamedTensorMap, marks: RecordingMarks) => tf.NamedTensorMap

/**
 * Runs `body` on shapes alone and returns what it does. `body` gets a tensor for each input and returns the outputs.
 * Throws a MixlabError for an operation without a shape rule, for code that reads values, uses other tensors or assigns
 * other variables; an Unrepeatable for what differs from a recording `before`; the stack leads to the code, but for what is missing.
 */
export function recordGraph(inputs: Record<string, Spec>, body: Code, before?: Graph): Promise<Graph> {
  return tracing((recorder) => recordWith(recorder, blanks(inputs), body, before), {
    fused: true,
    held: Number.POSITIVE_INFINITY,
  })
}

/**
 * An error made where `body` does the operation that gives a value of its recording: its stack leads to the code. Null
 * where none does.
 */
export async function originOf(value: number, inputs: Record<string, Spec>, body: Code): Promise<Error | null> {
  let origin: Error | null = null
  await tracing(
    (recorder) =>
      recordWith(recorder, blanks(inputs), body, undefined, ({ outputs }) => {
        if (outputs.some((use) => use.value === value)) origin = new Error()
      }),
    { fused: true, held: Number.POSITIVE_INFINITY },
  )
  return origin
}

/**
 * Runs `body` on the current backend; what it does this time, where all that it reads and draws is constant. Throws
 * Unrepeatable for what differs from a recording `before` with the same inputs.
 */
export function recordEagerly(
  inputs: tf.NamedTensorMap,
  body: Code,
  before?: Graph,
): { graph: Graph; outputs: tf.NamedTensorMap } {
  let outputs: tf.NamedTensorMap = {}
  const run: Code = (given, marks) => {
    outputs = body(given, marks)
    return outputs
  }
  const graph = recordWith({ record: observingBackend, valuesOf: valuesNow }, inputs, run, before)
  return { graph, outputs }
}

/** What to do where code counts its calls, or draws from a generator of its own. */
const ADVICE = "keep nothing from call to call; a block draws by random.uniform('noise', shape) from 'mixlab'"

function recordWith(
  recorder: OperationObserver,
  tensors: tf.NamedTensorMap,
  body: Code,
  before?: Graph,
  onOperation?: (operation: Operation) => void,
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
    if (!values) throw new MixlabError('option', '', 'uses a tensor that was made outside of the model')
    const known = before?.constants[constants.length]
    if (known && !same(known.values, values)) {
      throw new Unrepeatable(`gives other numbers when it runs again; ${ADVICE}`)
    }
    const constant = define(tensor)
    constants.push({ use: constant, values })
    return constant
  }

  function observe({ kernel, view, operands, attributes, results }: Observed): void {
    const given = Object.entries(operands).filter(([, tensor]) => tensor)
    const used = given.map(([name, tensor]) => [name, use(tensor as tf.TensorInfo)] as const)
    if (view && used[0]?.[1].dtype === results[0]?.dtype) return
    const operation: Operation = { kernel, attributes, inputs: Object.fromEntries(used), outputs: results.map(define) }
    if (before) expectSame(operation, before.operations[graph.operations.length])
    graph.operations.push(operation)
    onOperation?.(operation)
  }

  for (const [name, tensor] of Object.entries(tensors)) graph.inputs[name] = define(tensor)
  const marks: RecordingMarks = {
    backward: () => {
      graph.backward = graph.operations.length
    },
    draw: (tensor, values, source) => graph.draws.push({ use: define(tensor), values, source }),
  }
  recorder.record(() => {
    for (const [name, tensor] of Object.entries(body(tensors, marks))) graph.outputs[name] = use(tensor)
  }, observe)
  if (before) expectSame(graphInputsAndOutputs(graph), graphInputsAndOutputs(before))
  return graph
}

function graphInputsAndOutputs({ operations, outputs, draws }: Graph): unknown {
  return [operations.length, outputs, draws]
}

function expectSame(now: unknown, before: unknown): void {
  if (JSON.stringify(now) === JSON.stringify(before)) return
  throw new Unrepeatable(`does other operations when it runs again; ${ADVICE}`)
}

function same(a: tf.BackendValues, b: tf.BackendValues): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i] && !Object.is(a[i], b[i])) return false
  return true
}

/** A tensor without values, while code is recorded. */
export function blank({ shape, dtype }: Spec): tf.Tensor {
  const dataId = tf.engine().backend.write(null as unknown as tf.BackendValues, shape, dtype)
  return tf.engine().makeTensorFromTensorInfo({ dataId, shape, dtype })
}

function blanks(specs: Record<string, Spec>): tf.NamedTensorMap {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, blank(spec)]))
}
