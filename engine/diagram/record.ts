import * as tf from '@tensorflow/tfjs-core'
import { activationBytes, oneBlank } from '../cost/trace.ts'
import type { Forward, InputSpec } from '../nn/model.ts'
import { type Parameter, runInPass, scopesOf } from '../nn/scope.ts'
import { calledBy, lineOf, placeOf, sentenceOf } from '../notebook/location.ts'
import { tracing } from '../trace/backend.ts'
import type { KernelCall, Recorder } from '../trace/recorder.ts'
import { type CellPlace, type Diagram, type DiagramOperation, type OperationInput, sumOf } from './diagram.ts'
import { operationName } from './names.ts'

/** The most values of a constant that are told. */
const TOLD = 8

/**
 * What a model does for one example, recorded on shapes alone, without extras of text such as masks. Code that fails gives
 * the operations before, and why. Throws nothing for what is wrong with the code.
 */
export async function diagramOf(name: string, forward: Forward, spec: InputSpec): Promise<Diagram> {
  const operations: DiagramOperation[] = []
  const blockEnds: number[] = []
  let wrong: Diagram['wrong'] = null
  try {
    const onBlock = () => void blockEnds.push(operations.length)
    await tracing((recorder) => recordForward(recorder, forward, oneBlank(spec), operations, onBlock), { fused: true })
  } catch (error) {
    wrong = { sentence: sentenceOf(error), line: lineOf(error), scopes: scopesOf(error) }
  }
  return {
    name,
    input: [1, ...spec.shape.slice(1)],
    operations,
    blockEnds,
    totals: sumOf(operations),
    peakBytes: wrong ? null : await activationBytes(forward, spec),
    wrong,
  }
}

/** Adds each operation of a forward pass to `operations` as it is done. */
function recordForward(
  recorder: Recorder,
  forward: Forward,
  input: tf.Tensor,
  operations: DiagramOperation[],
  onBlock: () => void,
): void {
  const parameters = new Map<string, Parameter>()
  const sources = new Map<number, Omit<OperationInput, 'shape'>>([[input.id, {}]])
  const unread = new Map<string, number>()
  let making = false
  const create = (name: string, shape: number[]) => {
    making = true // what fills a parameter is no operation of the model
    const variable = tf.variable(tf.fill(shape, 0))
    making = false
    sources.set(variable.id, { parameter: name })
    return variable
  }

  function sourceOf(tensor: tf.Tensor): OperationInput {
    const source = sources.get(tensor.id) ?? { constant: constantText(recorder.valuesOf(tensor)) }
    return { shape: tensor.shape, ...source }
  }

  /** Trained values of the parameters that nothing has read before. */
  function newlyRead(inputs: OperationInput[]): number {
    let count = 0
    for (const { parameter = '' } of inputs) {
      const known = parameters.get(parameter)
      if (!known || unread.has(parameter)) continue
      const size = known.trained ? tf.util.sizeFromShape(known.shape) : 0
      unread.set(parameter, size)
      count += size
    }
    return count
  }

  function observe(call: KernelCall): void {
    if (making) return
    const { kernel, view, macs, scopes, outputs } = call
    const results = kernel === 'LayerNorm' ? call.results.slice(0, 1) : call.results // the others are for its gradient
    const given = Object.values(call.operands).filter((operand) => operand) as tf.Tensor[]
    const inputs = given.map(sourceOf)
    for (const id of outputs) sources.set(id, { operation: operations.length })
    operations.push({
      name: operationName(kernel),
      kernel,
      attributes: JSON.stringify(call.attributes),
      inputs,
      shapes: results.map(({ shape }) => shape),
      view,
      macs,
      bytes: view ? 0 : results.reduce((sum, { shape, dtype }) => sum + bytesOf(shape, dtype), 0),
      parameters: newlyRead(inputs),
      scopes,
      place: currentPlace(),
    })
  }

  const pass = { parameters, seed: 0, step: 0, dropPath: 0, training: false, create, onBlock }
  recorder.record(() => void tf.tidy(() => runInPass(pass, () => forward(input))), observe)
}

/** The code of a cell that is running. */
function currentPlace(): CellPlace | null {
  const here = new Error()
  const place = placeOf(here)
  return place && { ...place, call: calledBy(here) }
}

function constantText(values: tf.BackendValues | null): string {
  if (!values) return 'drawn'
  const list = Array.from(values.slice(0, TOLD), String).join(', ')
  return values.length > TOLD ? `${list}, ... (${values.length} values, ${digest(values)})` : list
}

/** A number that other values hardly have. */
function digest(values: tf.BackendValues): string {
  let hash = 0
  for (const value of values) {
    const bits = typeof value === 'number' ? Math.fround(value) * 16777619 : String(value).length
    hash = (Math.imul(hash, 31) + (bits | 0)) | 0
  }
  return (hash >>> 0).toString(16)
}

function bytesOf(shape: number[], dtype: tf.DataType): number {
  return tf.util.sizeFromShape(shape) * (dtype === 'string' ? 1 : tf.util.bytesPerElement(dtype))
}
