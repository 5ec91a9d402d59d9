import * as tf from '@tensorflow/tfjs-core'
import { recordTwice } from '../../compile/compile.ts'
import type { Graph, Operation, Use } from '../../compile/graph.ts'
import { codeOf } from '../../compile/model.ts'
import { type Spec, watch } from '../../compile/record.ts'
import { simplify } from '../../compile/simplify.ts'
import { PARAMETER } from '../../compile/training.ts'
import { MixlabError } from '../../errors.ts'
import type { Mode, Model } from '../../nn/model.ts'
import type { Batch } from '../../tasks/types.ts'
import type { Length } from './types.ts'

/** What a model reads, in the order in which it gets it: the batch of a task has one or all. */
export const INPUTS = ['input', 'types', 'mask'] as const

export type ModelInputs = { input: tf.Tensor } & Partial<Record<'types' | 'mask', tf.Tensor>>

/** What a model reads of a batch of its task. */
export function inputsOf(batch: Batch): ModelInputs {
  const { input, types, mask } = batch
  return { input, ...(types && { types }), ...(mask && { mask }) }
}

/** As a use of the recorder, but that a length can count examples. */
export type OpenUse = Omit<Use, 'shape'> & { shape: Length[] }

/** An operation as it was recorded, for any number of examples. */
export interface OpenOperation {
  kernel: string
  /** As recorded with a batch of two. */
  once: Operation
  inputs: Record<string, OpenUse>
  outputs: OpenUse[]
}

/** What a model does for inference, for any number of examples. */
export interface OpenGraph {
  operations: OpenOperation[]
  inputs: Record<string, OpenUse>
  constants: { use: OpenUse; values: tf.BackendValues }[]
  output: OpenUse
}

/** Numbers of examples with which a model is recorded; a length that differs counts examples. */
const [FEW, MORE] = [2, 3] as const

/**
 * What a model does for inference: recorded with two numbers of examples, so that what differs is known to count them.
 * Code that
 * needs values is watched while it runs. Throws MixlabError `weights` for code that does something else with more examples.
 */
export async function recordModel(model: Model, inputs: Record<string, Spec>, source: string): Promise<OpenGraph> {
  const [few, more] = [await recorded(model, inputs, FEW), await recorded(model, inputs, MORE)]
  return opened(few, more, (what) => new MixlabError('weights', source, `cannot be written as a graph: ${what}`))
}

async function recorded(model: Model, inputs: Record<string, Spec>, examples: number): Promise<Graph> {
  const given = Object.fromEntries(
    Object.entries(inputs).map(([name, { shape, dtype }]) => [name, { shape: [examples, ...shape.slice(1)], dtype }]),
  )
  const parameters = model.parameters.map(({ name, shape }) => [PARAMETER + name, { shape, dtype: 'float32' }])
  const code = codeOf(model, false, (batch, { mode }) => ({ logits: apply(model, batch, mode) }))
  const graph = await recordTwice({ ...given, ...Object.fromEntries(parameters) }, code)
  return graph instanceof Error ? watched(model, given) : graph
}

function apply(model: Model, { input, types, mask }: tf.NamedTensorMap, mode: Mode = {}): tf.Tensor {
  return model.apply(input as tf.Tensor, mode, { ...(types && { types }), ...(mask && { mask }) })
}

/** What a model does to some zeros on the current backend, for code that needs values, as those of a tensor of a cell. */
function watched(model: Model, inputs: Record<string, Spec>): Graph {
  const parameters = model.parameters.map(({ name, variable }) => [PARAMETER + name, variable])
  let graph: Graph | null = null
  tf.tidy(() => {
    const given = Object.entries(inputs).map(([name, { shape, dtype }]) => [name, tf.zeros(shape, dtype)])
    graph = watch(Object.fromEntries([...given, ...parameters]), (batch) => ({ logits: apply(model, batch) })).graph
  })
  return simplify(graph as unknown as Graph)
}

function opened(few: Graph, more: Graph, fail: (what: string) => MixlabError): OpenGraph {
  const other = 'it does something else with another number of examples'

  function openUse(use: Use, twin: Use | undefined): OpenUse {
    if (!twin || twin.value !== use.value || twin.shape.length !== use.shape.length) throw fail(other)
    return { ...use, shape: use.shape.map((length, axis) => openLength(length, twin.shape[axis] as number)) }
  }

  function openLength(length: number, twin: number): Length {
    if (length === twin) return length
    if (length / FEW !== twin / MORE || length % FEW !== 0) throw fail('a length neither stays nor counts examples')
    return { examples: length / FEW }
  }

  if (few.draws.length > 0) throw fail('it draws numbers')
  if (few.operations.length !== more.operations.length) throw fail(other)
  const openAll = (uses: Record<string, Use>, twins: Record<string, Use>) =>
    Object.fromEntries(Object.entries(uses).map(([name, use]) => [name, openUse(use, twins[name])]))
  return {
    operations: few.operations.map((once, i) => {
      const twin = more.operations[i] as Operation
      if (twin.kernel !== once.kernel) throw fail(other)
      const outputs = once.outputs.map((use, o) => openUse(use, twin.outputs[o]))
      return { kernel: once.kernel, once, inputs: openAll(once.inputs, twin.inputs), outputs }
    }),
    inputs: openAll(few.inputs, more.inputs),
    constants: few.constants.map(({ use, values }, i) => {
      const twin = more.constants[i]
      const uniform = Array.prototype.every.call(values, (value: unknown) => value === values[0])
      const opened = openUse(use, twin?.use)
      const same =
        values.length === twin?.values.length &&
        Array.prototype.every.call(values, (v, at) => Object.is(v, twin.values[at]))
      if (!same && !(uniform && twin?.values[0] === values[0])) throw fail('a table of it depends on the examples')
      return { use: opened, values }
    }),
    output: openUse(few.outputs.logits as Use, more.outputs.logits),
  }
}
