import { type Constant, type Graph, isUniform, type Operation, sizeOf, type Use } from './graph.ts'
import { alongLead, type Belonging, isMap, leadOf, type PartRule, partRule } from './partRules.ts'
import type { RecordedBatch } from './recordedBatch.ts'
import { PARAMETER } from './training.ts'

/** In front of the names of inputs that a part of a batch needs whole, e.g. the weights that its loss is divided by. */
export const WHOLE = 'whole/'

/** That a graph cannot be had for a part of the examples. */
class Unpartable extends Error {}

/**
 * The graph for `part` of the examples of a batch, whose outputs are summed over the parts: what comes out are the
 * numbers of the whole batch, but for the order in which they are added. `batch` names the inputs that have the examples
 * along their first axis; where the loss needs all of one, such as the weights that it divides by, it is an input once
 * more. Draws for examples are those of their part. An error where operations need all examples, as a batch norm does.
 */
export function partOf(recorded: RecordedBatch, batch: ReadonlySet<string>, part: number): Graph | Error {
  const { examples, all, half } = recorded
  try {
    const graph = half ? ofAll(recorded.graph, half, all / examples) : recorded.graph
    return createPart({ ...recorded, graph }, batch, part)
  } catch (error) {
    if (error instanceof Unpartable) return error
    throw error
  }
}

/** The graph with the numbers that it would have with so many times as many examples: those that change with the examples from `half` to it. */
function ofAll(graph: Graph, half: Graph, times: number): Graph {
  const kernels = ({ operations }: Graph) => operations.map(({ kernel }) => kernel).join()
  if (kernels(graph) !== kernels(half) || graph.constants.length !== half.constants.length) {
    throw new Unpartable('does something else with fewer examples')
  }
  const constants = graph.constants.map(({ use, values }, i): Constant => {
    const [own, before] = [values as Float32Array, half.constants[i]?.values as Float32Array]
    if (own.length !== 1 || before.length !== 1) return { use, values } // of examples, or the same for all
    const grown = (own[0] as number) / (before[0] as number)
    if (Object.is(own[0], before[0])) return { use, values }
    if (grown !== 2 && grown !== 0.5) throw new Unpartable('has numbers that depend on how many examples there are')
    return { use, values: own.map((value) => value * (grown === 2 ? times : 1 / times)) }
  })
  return { ...graph, constants }
}

function createPart({ graph, examples, all }: RecordedBatch, batch: ReadonlySet<string>, part: number): Graph {
  const parts = all / part
  /** By how much the recorded examples are more than those of a part, and those of the whole batch more than recorded. */
  const [fewer, more] = [examples / part, all / examples]
  let { values } = graph
  let { backward } = graph
  const makers = new Map(graph.operations.flatMap((each) => each.outputs.map(({ value }) => [value, each] as const)))
  const constants = new Map(graph.constants.map((each) => [each.use.value, each]))
  const batchInputs = new Map(
    Object.entries(graph.inputs).flatMap(([name, use]) => (batch.has(name) ? [[use.value, name] as const] : [])),
  )
  const belongings = new Map<number, Belonging>([...batchInputs.keys()].map((value) => [value, 'examples']))
  const of = ({ value }: Use): Belonging => belongings.get(value) ?? 'shared'
  const isDrawn = new Set(graph.draws.map(({ use }) => use.value))
  const isInput = new Set(Object.values(graph.inputs).map(({ value }) => value))
  /** Values that the batch alone decides, for which nothing is trained or drawn. */
  const known = new Set([...batchInputs.keys(), ...constants.keys()])
  const operations: Operation[] = []
  const madeConstants: Constant[] = []
  const inputs: Record<string, Use> = {}
  const smaller = new Map<number, number>()
  const wholes = new Map<number, number>()
  const shares = new Map<number, number>()
  const ownDraws = new Set<number>()

  const refuse = ({ kernel }: Operation, { shape }: Use): never => {
    throw new Unpartable(`${kernel} of [${shape.join(', ')}] needs all examples of a batch at once`)
  }

  /** The shape of a part of the examples. */
  function ofPart(use: Use, operation?: Operation, by = fewer): Use {
    const lead = leadOf(use)
    const length = (use.shape[lead] ?? 1) / by
    if (!Number.isInteger(length)) {
      throw new Unpartable(`${operation?.kernel ?? 'an input'} of [${use.shape.join(', ')}] has no axis of examples`)
    }
    return { ...use, shape: use.shape.with(lead, length) }
  }

  /** A shared value that is the same for each example, or drawn for it, for a part; null where that cannot be had. */
  function shrunk(use: Use): Use | null {
    const made = smaller.get(use.value)
    if (made !== undefined) return { ...ofPart(use), value: made }
    if (isDrawn.has(use.value)) {
      belongings.set(use.value, 'examples')
      ownDraws.add(use.value)
      return ofPart(use)
    }
    const constant = constants.get(use.value)
    if (constant) return shrunkConstant(use, constant)
    const maker = makers.get(use.value)
    const out = maker?.outputs[0]
    if (!maker || !out || isInput.has(use.value)) return null
    let { attributes } = maker
    const own: Record<string, Use> = {}
    const lead = leadOf(out)
    const [x] = Object.values(maker.inputs)
    if (maker.kernel === 'Tile' && x) {
      const reps = (attributes.reps as number[])[lead] as number
      if (!Number.isInteger(reps / fewer)) return null
      attributes = { ...attributes, reps: (attributes.reps as number[]).with(lead, reps / fewer) }
      Object.assign(own, maker.inputs)
    } else if (maker.kernel === 'BroadcastTo' && x) {
      if (alongLead(x, out) >= 0) return null
      attributes = { ...attributes, shape: ofPart(out).shape }
      Object.assign(own, maker.inputs)
    } else if (isMap(maker)) {
      for (const [name, input] of Object.entries(maker.inputs)) {
        const part = alongLead(input, out) < 0 ? input : shrunk(input)
        if (!part) return null
        own[name] = part
      }
    } else return null
    const value = values++
    smaller.set(use.value, value)
    operations.push({ ...maker, attributes, inputs: own, outputs: [{ ...ofPart(out), value }] })
    return { ...ofPart(use), value }
  }

  function shrunkConstant(use: Use, constant: Constant): Use | null {
    const given = constant.values as Float32Array
    if (use.dtype !== 'float32' || !isUniform(given)) return null
    const value = values++
    smaller.set(use.value, value)
    const own = { ...ofPart(constant.use), value }
    madeConstants.push({ use: own, values: new Float32Array(given.length / fewer).fill(given[0] as number) })
    return { ...ofPart(use), value }
  }

  /** A value that the batch alone decides, of all examples. */
  function whole(use: Use): Use {
    if (of(use) === 'shared') return use
    const found = wholes.get(use.value)
    const isOfAll = of(use) === 'examples'
    if (found !== undefined) return { ...(isOfAll ? ofPart(use, undefined, 1 / more) : use), value: found }
    const name = batchInputs.get(use.value)
    const value = values++
    wholes.set(use.value, value)
    if (name !== undefined) {
      inputs[WHOLE + name] = { ...ofPart(graph.inputs[name] as Use, undefined, 1 / more), value }
      return { ...ofPart(use, undefined, 1 / more), value }
    }
    const maker = makers.get(use.value) as Operation
    const given = Object.entries(maker.inputs).map(([name, input]) => [name, whole(input)])
    const outputs = maker.outputs.map((out) => {
      const own = out.value === use.value ? value : values++
      wholes.set(out.value, own)
      return { ...(of(out) === 'examples' ? ofPart(out, maker, 1 / more) : out), value: own }
    })
    operations.push({ ...maker, inputs: Object.fromEntries(given), outputs })
    return { ...(isOfAll ? ofPart(use, maker, 1 / more) : use), value }
  }

  /** The share of a part in a shared value that is added to sums over examples. */
  function share(use: Use): Use {
    const value = shares.get(use.value) ?? values++
    if (!shares.has(use.value)) scale(use, 1 / parts, { ...use, value })
    shares.set(use.value, value)
    return { ...use, value }
  }

  function scale(a: Use, by: number, out: Use): void {
    const b: Use = { value: values++, shape: [], dtype: 'float32' }
    madeConstants.push({ use: b, values: Float32Array.of(by) })
    operations.push({ kernel: 'Multiply', attributes: {}, inputs: { a, b }, outputs: [out] })
  }

  /** A use as an operation wants it. */
  function wanted(use: Use, belonging: Belonging, operation: Operation): Use {
    const own = of(use)
    if (belonging === 'examples') {
      if (own === 'summed') return refuse(operation, use)
      return own === 'examples' ? ofPart(use, operation) : (shrunk(use) ?? refuse(operation, use))
    }
    if (own === belonging) return use
    if (belonging === 'summed' && own === 'shared') return share(use)
    return belonging === 'shared' && known.has(use.value) ? whole(use) : refuse(operation, use)
  }

  function add(operation: Operation, { inputs, outputs, attributes = operation.attributes }: PartRule): void {
    const given = Object.entries(operation.inputs).map(([name, use]) => {
      return [name, wanted(use, inputs[name] as Belonging, operation)] as const
    })
    const isKnown = Object.values(operation.inputs).every(({ value }) => known.has(value))
    const made = operation.outputs.map((out, i) => {
      const belonging = Array.isArray(outputs) ? (outputs[i] as Belonging) : outputs
      belongings.set(out.value, belonging)
      if (isKnown) known.add(out.value)
      return belonging === 'examples' ? ofPart(out, operation) : out
    })
    if (operation.kernel !== 'Mean' || of(operation.outputs[0] as Use) !== 'summed') {
      operations.push({ ...operation, attributes, inputs: Object.fromEntries(given), outputs: made })
      return
    }
    const [mean] = made as [Use]
    const sum = { ...mean, value: values++ }
    const by = sizeOf(mean) / (sizeOf(operation.inputs.x as Use) * more)
    operations.push({ ...operation, kernel: 'Sum', inputs: Object.fromEntries(given), outputs: [sum] })
    scale(sum, by, mean)
  }

  if (more > 1 && graph.draws.some(({ source }) => !source)) throw new Unpartable('draws numbers of its own')
  for (const [i, operation] of graph.operations.entries()) {
    if (i === graph.backward) backward = operations.length
    const isShared = Object.values(operation.inputs).every((use) => of(use) === 'shared')
    const rule = partRule(operation, of, fewer)
    if (rule) add(operation, rule)
    else refuse(operation, Object.values(operation.inputs)[0] as Use)
    // a draw that was shared before cannot become one of examples
    if (isShared && Object.values(operation.inputs).some(({ value }) => isDrawn.has(value)))
      refuse(operation, operation.outputs[0] as Use)
  }
  const made = ends()
  return { ...graph, values, backward, operations, ...made }

  function ends(): Pick<Graph, 'inputs' | 'outputs' | 'constants' | 'draws'> {
    for (const [name, use] of Object.entries(graph.inputs)) inputs[name] = of(use) === 'examples' ? ofPart(use) : use
    const outputs = Object.entries(graph.outputs).map(([name, use]) => {
      const own = of(use)
      const isAssigned = name.startsWith(PARAMETER)
      if (own === 'examples' || (isAssigned && own === 'summed')) throw new Unpartable(`'${name}' needs all examples`)
      return [name, isAssigned || own === 'summed' ? use : share(use)] as const
    })
    return {
      inputs,
      outputs: Object.fromEntries(outputs),
      constants: [...graph.constants, ...madeConstants],
      draws: graph.draws.map((draw) =>
        ownDraws.has(draw.use.value) ? { ...draw, use: ofPart(draw.use), ofPart: true } : draw,
      ),
    }
  }
}
