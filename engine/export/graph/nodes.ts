import { PARAMETER } from '../../compile/training.ts'
import { MixlabError } from '../../errors.ts'
import { fileShape } from '../../nn/layout.ts'
import type { Model } from '../../nn/model.ts'
import type { Parameter } from '../../nn/scope.ts'
import type { NamedTensor } from '../../weights/safetensors.ts'
import { type Build, buildNodes } from './build.ts'
import { OperationError } from './operationError.ts'
import { type OperationContext, rules } from './operations.ts'
import type { OpenGraph, OpenUse } from './record.ts'
import { type ConstantTensor, isDynamic, type Length, type Value } from './types.ts'

/** Names of what is no parameter. */
const RESERVED = /^(input|types|mask|logits|[vt]\d+|(constants|counted|draws)\.\d+)$|^(ints|float)\//

const ARRAYS = { float32: Float32Array, int32: Int32Array, bool: Uint8Array }

/** What one recording gives. */
export interface Added {
  output: Value
  /** What is given to parameters, by name. */
  assigned: Record<string, Value>
  /** What its operations give, in the order in which they were recorded. */
  made: Value[]
  /** What goes into each block, and what the last one gives. */
  blocks: Value[]
}

/** The nodes of one or more recordings of a model; what they have in common is there once. */
export interface Nodes {
  build: Build
  constants: ConstantTensor[]
  /** Numbers that the number of examples decides, by the name of their value: with FEW examples, and with MORE. */
  counted: Map<string, [few: number, more: number]>
  /** Masks that are drawn, by the name of their value. */
  draws: Map<string, { kind: 'bernoulli' | 'uniform'; rate: number }>
  /** Throws MixlabError `weights` for operations that are not in operations.ts; `mixes` allows what mixes examples. */
  add(recorded: OpenGraph, mixes?: boolean): Added
}

/**
 * Nodes for a model with the parameters of `weights`, which has each of them in the layout of files. Throws MixlabError
 * `weights` for a parameter that has the name of something else in a graph; `source` names the model.
 */
export function nodesFor(model: Model, weights: NamedTensor[], source: string): Nodes {
  const build = buildNodes()
  const constants: ConstantTensor[] = []
  const counted: Nodes['counted'] = new Map()
  const draws: Nodes['draws'] = new Map()
  const fail = (what: string) => new MixlabError('weights', source, `cannot be written as a graph: ${what}`)

  function constant(shape: number[], dtype: Value['dtype'], given: ArrayLike<number>): Value {
    // not every format has tables of bool
    if (dtype === 'bool') return build.node('Cast', [constant(shape, 'int32', given)], shape, {}, 'bool')
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

  function filled(input: Value, shape: Length[], value: number, dtype: Value['dtype']): Value {
    const size = shape.map((length) => (isDynamic(length) ? 0 : length))
    if (shape.some(isDynamic) && dtype === 'bool') {
      return build.node('Cast', [filled(input, shape, value, 'int32')], shape, {}, 'bool')
    }
    if (shape.some(isDynamic)) return build.node('Fill', [input], shape, { value }, dtype)
    return constant(size, dtype, new Float32Array(size.reduce((a, b) => a * b, 1)).fill(value))
  }

  const taken = weights.find(({ name }) => RESERVED.test(name))
  if (taken) throw fail(`a parameter is called '${taken.name}', as something else in a graph`)
  const written = new Map(weights.map((tensor) => [tensor.name, tensor]))

  function add(recorded: OpenGraph, mixes = false): Added {
    const input = { ...(recorded.inputs.input as OpenUse), name: 'input' } as Value
    const known = new Map<number, Value>()
    const made: Value[] = []
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
    for (const { use, values, more } of recorded.constants) {
      const { shape } = use
      const dtype = use.dtype as Value['dtype']
      if (more) {
        if (values.length > 1) throw fail('a table of it depends on the examples')
        const name = `counted.${counted.size}`
        counted.set(name, [Number(values[0]), Number(more[0])])
        known.set(use.value, { name, shape, dtype })
        continue
      }
      const open = shape.some(isDynamic)
      known.set(
        use.value,
        open
          ? filled(input, shape, Number(values[0]), dtype)
          : constant(shape as number[], dtype, values as Float32Array),
      )
    }
    for (const { use, kind, rate } of recorded.draws) {
      const name = `draws.${draws.size}`
      draws.set(name, { kind, rate })
      known.set(use.value, { name, shape: use.shape, dtype: 'float32' })
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
      if (!rule) {
        const known = ` (known: ${Object.keys(rules).sort().join(', ')})`
        throw new OperationError(source, `no operation '${kernel}'`, operation, known)
      }
      const given: OperationContext = {
        operation,
        inputs: Object.fromEntries(Object.entries(operation.inputs).map(([name, use]) => [name, read(use)])),
        attributes: once.attributes,
        build,
        mixes,
        constant,
        filled: (shape, value, dtype) => filled(input, shape, value, dtype),
        fail: (what) => new OperationError(source, what, operation),
      }
      for (const [i, value] of rule(given).entries()) {
        known.set(outputs[i]?.value as number, value)
        made.push(value)
      }
    }
    return {
      output: read(recorded.output),
      assigned: Object.fromEntries(Object.entries(recorded.assigned).map(([name, use]) => [name, read(use)])),
      made,
      blocks: recorded.blocks.map(read),
    }
  }

  return { build, constants, counted, draws, add }
}

/** A parameter as the code sees it, from its tensor in the layout of files; see nn/layout.ts. */
function inMemory({ name, shape, layout }: Pick<Parameter, 'name' | 'shape' | 'layout'>, build: Build): Value {
  const { view = shape, order } = layout
  let value: Value = { name, shape: fileShape(shape, layout), dtype: 'float32' }
  if (order) {
    value = build.reshape(
      value,
      order.map((axis) => view[axis] as number),
    )
    value = build.transpose(
      value,
      view.map((_, axis) => order.indexOf(axis)),
    )
  }
  return build.reshape(value, [...shape])
}
