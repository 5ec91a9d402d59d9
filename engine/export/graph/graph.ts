import type { Spec } from '../../compile/record.ts'
import { PARAMETER } from '../../compile/training.ts'
import { MixlabError } from '../../errors.ts'
import type { Model } from '../../nn/model.ts'
import type { NamedTensor } from '../../weights/safetensors.ts'
import { buildNodes, needed } from './build.ts'
import { inMemory } from './layout.ts'
import { linear } from './linear.ts'
import { type Given, rules } from './operations.ts'
import { type OpenUse, recordModel } from './record.ts'
import { type ConstantTensor, type ExportGraph, isDynamic, type Length, type Value } from './types.ts'

/** Names of what is no parameter. */
const RESERVED = /^(input|types|mask|logits|[vt]\d+|constants\.\d+)$|^(ints|float)\//

const ARRAYS = { float32: Float32Array, int32: Int32Array, bool: Uint8Array }

/**
 * The graph of a model for inference, from what its code does: for any number of examples, with the parameters of `weights`,
 * which has each of them in the layout of files. `inputs` are those of a batch of its task. Throws MixlabError `weights` for
 * a model that cannot be recorded, and for operations that are not in operations.ts; `source` names it.
 */
export async function exportGraph(
  model: Model,
  inputs: Record<string, Spec>,
  weights: NamedTensor[],
  source: string,
): Promise<ExportGraph> {
  const recorded = await recordModel(model, inputs, source)
  const build = buildNodes()
  const constants: ConstantTensor[] = []
  const fail = (what: string) => new MixlabError('weights', source, `cannot be written as a graph: ${what}`)
  const input = { ...(recorded.inputs.input as OpenUse), name: 'input' } as Value

  function constant(shape: number[], dtype: Value['dtype'], given: ArrayLike<number>): Value {
    const values = ARRAYS[dtype].from(given)
    const found = constants.find(
      (other) =>
        other.dtype === dtype &&
        other.shape.join() === shape.join() &&
        other.values.every((value, i) => Object.is(value, values[i])),
    )
    if (found) return found
    const made = { name: `constants.${constants.length}`, shape, dtype, values }
    constants.push(made)
    return made
  }

  function filled(shape: Length[], value: number, dtype: Value['dtype']): Value {
    const size = shape.map((length) => (isDynamic(length) ? 0 : length))
    if (shape.some(isDynamic)) return build.node('Fill', [input], shape, { value }, dtype)
    return constant(size, dtype, new Float32Array(size.reduce((a, b) => a * b, 1)).fill(value))
  }

  const taken = weights.find(({ name }) => RESERVED.test(name))
  if (taken) throw fail(`a parameter is called '${taken.name}', as something else in a graph`)
  const known = new Map<number, Value>()
  const written = new Map(weights.map((tensor) => [tensor.name, tensor]))
  const ofToeplitz = new Map<number, NamedTensor>()
  for (const [name, use] of Object.entries(recorded.inputs)) {
    if (!name.startsWith(PARAMETER)) known.set(use.value, { ...use, name } as Value)
  }
  for (const parameter of model.parameters) {
    const { value } = recorded.inputs[PARAMETER + parameter.name] as OpenUse
    if (written.has(parameter.name)) known.set(value, inMemory(parameter, build))
    const matrix = written.get(parameter.name.replace(/toeplitz$/, 'weight'))
    if (matrix && !written.has(parameter.name)) ofToeplitz.set(value, matrix)
  }
  for (const { use, values } of recorded.constants) {
    const { shape } = use
    const dtype = use.dtype as Value['dtype']
    const open = shape.some(isDynamic)
    known.set(
      use.value,
      open ? filled(shape, Number(values[0]), dtype) : constant(shape as number[], dtype, values as Float32Array),
    )
  }

  const read = ({ value, shape }: OpenUse): Value => build.reshape(known.get(value) as Value, shape)
  for (const operation of recorded.operations) {
    const { kernel, outputs, once } = operation
    const matrix = kernel === 'GatherV2' ? ofToeplitz.get(once.inputs.x?.value as number) : undefined
    if (matrix) {
      const value: Value = { name: matrix.name, shape: matrix.shape, dtype: 'float32' }
      known.set(outputs[0]?.value as number, value)
      continue
    }
    const rule = rules[kernel]
    if (!rule) throw fail(`no operation '${kernel}' (known: ${Object.keys(rules).sort().join(', ')})`)
    const given: Given = {
      operation,
      inputs: Object.fromEntries(Object.entries(operation.inputs).map(([name, use]) => [name, read(use)])),
      attributes: once.attributes,
      build,
      constant,
      filled,
      fail,
    }
    for (const [i, value] of rule(given).entries()) known.set(outputs[i]?.value as number, value)
  }

  const logits = read(recorded.output)
  const { nodes, output } = linear(needed(build.nodes, logits), logits)
  const used = new Set(nodes.flatMap((node) => node.inputs.map(({ name }) => name)))
  return {
    inputs: Object.entries(recorded.inputs)
      .filter(([name]) => name === 'input' || used.has(name))
      .map(([name, use]) => ({ ...use, name }) as Value),
    weights,
    constants: constants.filter(({ name }) => used.has(name)),
    nodes,
    output,
  }
}
