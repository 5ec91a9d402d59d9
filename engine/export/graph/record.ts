import * as tf from '@tensorflow/tfjs-core'
import { recordTwice } from '../../compile/compile.ts'
import type { Graph, Operation, Use } from '../../compile/graph.ts'
import { type Run, recordableCode } from '../../compile/model.ts'
import { type Code, originOf, recordEagerly, type Spec } from '../../compile/record.ts'
import { simplify } from '../../compile/simplify.ts'
import { PARAMETER } from '../../compile/training.ts'
import { MixlabError } from '../../errors.ts'
import type { Mode, Model } from '../../nn/model.ts'
import type { Mask } from '../../random.ts'
import type { Batch } from '../../tasks/types.ts'
import type { Length } from './types.ts'

/** What a model reads: the batch of a task has one or all. */
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

/** A table that the code brings along. `more` are its values with more examples, where these decide them. */
export interface OpenConstant {
  use: OpenUse
  values: tf.BackendValues
  more?: tf.BackendValues
}

/** What a model does, for any number of examples. */
export interface OpenGraph {
  operations: OpenOperation[]
  inputs: Record<string, OpenUse>
  constants: OpenConstant[]
  /** Masks that are drawn anew for every step. */
  draws: { use: OpenUse; kind: Mask['kind']; rate: number }[]
  /** What its code gives to parameters, by name. */
  assigned: Record<string, OpenUse>
  /** What goes into each block, and what the last one gives. */
  blocks: OpenUse[]
  output: OpenUse
}

/** Numbers of examples with which a model is recorded; a length that differs counts examples. */
export const [FEW, MORE] = [2, 3] as const

/**
 * What a model does for inference or while `training`: recorded with two numbers of examples, so that what differs is known
 * to count them. Code that needs values is watched while it runs. Throws MixlabError `weights` for code that does something
 * else with more examples, and for inference for code that draws.
 */
export async function recordModel(
  model: Model,
  inputs: Record<string, Spec>,
  source: string,
  training = false,
): Promise<OpenGraph> {
  const fail = (what: string) => new MixlabError('weights', source, `cannot be written as a graph: ${what}`)
  const [few, more] = [await recorded(model, inputs, FEW, training), await recorded(model, inputs, MORE, training)]
  const graph = opened(few, more, fail)
  if (training) return graph
  if (graph.draws.length > 0) throw fail('it draws numbers')
  if (graph.constants.some(({ more }) => more)) throw fail('a table of it depends on the examples')
  return graph
}

/** As `originOf`, of an operation of a graph for inference. */
export async function originOfOperation(
  { once }: OpenOperation,
  model: Model,
  inputs: Record<string, Spec>,
): Promise<Error | null> {
  const { given, parameters, body } = recordable(model, inputs, FEW)
  return originOf(once.outputs[0]?.value ?? -1, { ...given, ...parameters }, recordableCode(model, false, body))
}

/** What is recorded of a model with a number of examples. */
function recordable(model: Model, inputs: Record<string, Spec>, examples: number) {
  const given = Object.fromEntries(
    Object.entries(inputs).map(([name, { shape, dtype }]): [string, Spec] => [
      name,
      { shape: [examples, ...shape.slice(1)], dtype },
    ]),
  )
  const parameters = Object.fromEntries(
    model.parameters.map(({ name, shape }): [string, Spec] => [PARAMETER + name, { shape, dtype: 'float32' }]),
  )
  const body = (batch: tf.NamedTensorMap, { mode }: Run) => {
    const ends: tf.NamedTensorMap = {}
    const onBlock: Mode['onBlock'] = (i, x, y) => Object.assign(ends, { [`${BLOCK}${i}`]: x, [`${BLOCK}${i + 1}`]: y })
    return { logits: apply(model, batch, { ...mode, onBlock }), ...ends }
  }
  return { given, parameters, body }
}

async function recorded(
  model: Model,
  inputs: Record<string, Spec>,
  examples: number,
  training: boolean,
): Promise<Graph> {
  const { given, parameters, body } = recordable(model, inputs, examples)
  const graph = await recordTwice({ ...given, ...parameters }, recordableCode(model, training, body))
  const keepsAll = (shape: number[]) => tf.ones(shape)
  return graph instanceof Error ? watched(model, given, recordableCode(model, training, body, keepsAll)) : graph
}

/** Names in front of the numbers of blocks, among the outputs: what goes into each, and what the last one gives. */
const BLOCK = 'block/'

function apply(model: Model, { input, types, mask }: tf.NamedTensorMap, mode: Mode = {}): tf.Tensor {
  return model.apply(input as tf.Tensor, mode, { ...(types && { types }), ...(mask && { mask }) })
}

/** What a model does to some zeros on the current backend, for code that needs values, as those of a tensor of a cell. */
function watched(model: Model, inputs: Record<string, Spec>, code: Code): Graph {
  const parameters = model.parameters.map(({ name, variable }) => [PARAMETER + name, tf.clone(variable)])
  const before = new Set(Object.values(tf.engine().registeredVariables))
  let graph: Graph | null = null
  try {
    tf.tidy(() => {
      const given = Object.entries(inputs).map(([name, { shape, dtype }]) => [name, tf.zeros(shape, dtype)])
      graph = recordEagerly(Object.fromEntries([...given, ...parameters]), code).graph
    })
  } finally {
    tf.dispose(parameters.map(([, copy]) => copy))
    for (const made of Object.values(tf.engine().registeredVariables)) if (!before.has(made)) made.dispose()
  }
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
      if (same || (uniform && twin?.values[0] === values[0])) return { use: opened, values }
      if (!twin || values.length !== twin.values.length) throw fail('a table of it depends on the examples')
      return { use: opened, values, more: twin.values }
    }),
    draws: few.draws.map(({ use, source }, i) => {
      if (!source) throw fail('it draws numbers')
      return { use: openUse(use, more.draws[i]?.use), kind: source.kind, rate: source.rate }
    }),
    assigned: Object.fromEntries(
      Object.entries(few.outputs)
        .filter(([name]) => name.startsWith(PARAMETER))
        .map(([name, use]) => [name.slice(PARAMETER.length), openUse(use, more.outputs[name])]),
    ),
    blocks: Object.entries(few.outputs)
      .filter(([name]) => name.startsWith(BLOCK))
      .map(([name, use]) => openUse(use, more.outputs[name])),
    output: openUse(few.outputs.logits as Use, more.outputs.logits),
  }
}
