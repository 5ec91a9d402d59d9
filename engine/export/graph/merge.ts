import { needed } from './build.ts'
import type { TrainingName } from './names.ts'
import type { Added, Nodes } from './nodes.ts'
import { type Node, shapeText, type Value } from './types.ts'

type TrainingNode = Node<TrainingName>

/** How a value of evaluation and one of training are one. */
type Joined =
  | { as: 'node'; node: Node; inputs: [evaluation: Value, training: Value][] }
  | { as: 'mask'; draw: string; x: [Value, Value] }
  | { as: 'choice' }

/** One graph of what a model does in evaluation and in training. */
export interface Merged {
  nodes: TrainingNode[]
  output: Value
  /** What is given to parameters while training, by name. */
  assigned: Record<string, Value>
  /** What goes into each block, and what the last one gives. */
  blocks: Value[]
}

const sameShape = (a: Value, b: Value) => shapeText(a.shape) === shapeText(b.shape)

/**
 * One graph of two recordings of a model, which does what `evaluation` does or what `training` does: both are followed from
 * their logits to where they differ. What is only multiplied by a mask while training is dropout or stochastic depth; what
 * differs otherwise is chosen (`Choose`). Throws what `fail` gives for masks that are neither.
 */
export function merge(all: Nodes, evaluation: Added, training: Added, fail: (what: string) => Error): Merged {
  const makers = new Map(all.build.nodes.map((node) => [node.output.name, node]))
  const joined = new Map<string, Joined>()
  const partners: Record<'evaluation' | 'training', Map<string, [Value, Value]>> = {
    evaluation: new Map(),
    training: new Map(),
  }
  const keyOf = ([e, t]: [Value, Value]) => `${e.name} ${t.name}`

  const madeIn = (output: Value) => new Set(needed(all.build.nodes, output).map((node) => node.output.name))
  const inTraining = madeIn(training.output)
  const common = new Set([...madeIn(evaluation.output)].filter((name) => inTraining.has(name)))

  function join(last: [Value, Value]): void {
    const todo = [last]
    for (let pair = todo.pop(); pair; pair = todo.pop()) {
      const key = keyOf(pair)
      if (joined.has(key)) continue
      const found = compare(pair)
      joined.set(key, found)
      if (found.as === 'choice') continue
      const [e, t] = pair
      if (!partners.evaluation.has(e.name)) partners.evaluation.set(e.name, pair)
      if (!partners.training.has(t.name)) partners.training.set(t.name, pair)
      todo.push(...(found.as === 'mask' ? [found.x] : found.inputs))
    }
  }

  function compare([e, t]: [Value, Value]): Joined {
    const [own, other] = [makers.get(e.name), makers.get(t.name)]
    const draw = other?.operation === 'Multiply' ? other.inputs.find(({ name }) => all.draws.has(name)) : undefined
    if (draw) {
      const x = other?.inputs.find((input) => input !== draw) as Value
      if (sameShape(x, t) && sameShape(e, t)) return { as: 'mask', draw: draw.name, x: [e, x] }
    }
    if (e.name === t.name && own) return { as: 'node', node: own, inputs: own.inputs.map((input) => [input, input]) }
    if (!own || !other || !sameShape(e, t)) {
      // what is seen in another shape here may be seen so in evaluation, too
      return (other && sameShape(e, t) && seen(e, other)) || { as: 'choice' }
    }
    const alike =
      own.operation === other.operation &&
      own.inputs.length === other.inputs.length &&
      JSON.stringify(own.attributes) === JSON.stringify(other.attributes) &&
      own.inputs.every((input, i) => sameShape(input, other.inputs[i] as Value))
    if (!alike) return seen(e, other) ?? { as: 'choice' }
    return { as: 'node', node: other, inputs: own.inputs.map((input, i) => [input, other.inputs[i] as Value]) }
  }

  /** A reshape or transposition that only training has, around a mask: in evaluation there and back again. */
  function seen(e: Value, node: Node): Joined | null {
    const [inside] = node.inputs as [Value]
    if (node.operation === 'Reshape') {
      return { as: 'node', node, inputs: [[remade(all.build.reshape(e, inside.shape)), inside]] }
    }
    if (node.operation !== 'Transpose') return null
    const perm = node.attributes.perm as number[]
    const back = perm.map((_, axis) => perm.indexOf(axis))
    return { as: 'node', node, inputs: [[remade(all.build.transpose(e, back)), inside]] }
  }

  function remade(value: Value): Value {
    for (const node of all.build.nodes.slice(makers.size)) makers.set(node.output.name, node)
    return value
  }

  const nodes: TrainingNode[] = []
  const emitted = new Map<string, Value>()
  const underWay = new Set<string>()

  /** Makes each value once, after what it needs. */
  function once(key: string, like: Value, make: () => Omit<TrainingNode, 'output'>): Value {
    const known = emitted.get(key)
    if (known) return known
    if (underWay.has(key)) throw fail('what it does while training turns round in a circle')
    underWay.add(key)
    const made = make()
    const output = { ...like, name: `m${nodes.length}` }
    nodes.push({ ...made, output })
    emitted.set(key, output)
    return output
  }

  function emit(pair: [Value, Value]): Value {
    const [e, t] = pair
    const key = keyOf(pair)
    const found = joined.get(key) as Joined
    if (found.as === 'choice') {
      if (e.name === t.name) return leaf(e)
      return once(key, t, () => {
        const inputs = [alone(t, 'training', false), alone(e, 'evaluation', false)]
        return { operation: 'Choose', inputs, attributes: {} }
      })
    }
    return once(key, t, () => {
      if (found.as === 'node') return { ...found.node, inputs: found.inputs.map(emit) }
      const { kind, rate } = all.draws.get(found.draw) as { kind: string; rate: number }
      const operation = kind === 'bernoulli' ? 'Dropout' : 'DropPath'
      return { operation, inputs: [emit(found.x)], attributes: { rate } }
    })
  }

  /** A value of one of both alone; what it is made of can be of both again. */
  function alone(value: Value, mode: 'evaluation' | 'training', mayBeBoth = true): Value {
    const partner = mayBeBoth ? partners[mode].get(value.name) : undefined
    const pair: [Value, Value] | undefined = common.has(value.name) ? [value, value] : partner
    if (pair) {
      join(pair)
      return emit(pair)
    }
    const maker = makers.get(value.name)
    if (!maker) return leaf(value)
    return once(`${mode} ${value.name}`, value, () => {
      return { ...maker, inputs: maker.inputs.map((input) => alone(input, mode)) }
    })
  }

  function leaf(value: Value): Value {
    if (all.draws.has(value.name)) throw fail('it draws numbers otherwise than dropout and stochastic depth do')
    return value
  }

  join([evaluation.output, training.output])
  for (const value of training.made) {
    const pair = partners.training.get(value.name)
    if (pair) emit(pair)
  }
  const assigned = Object.entries(training.assigned).map(([name, value]) => [name, alone(value, 'training')])
  const blocks = training.blocks.map((value) => alone(value, 'training'))
  const output = emit([evaluation.output, training.output])
  return { nodes, output, assigned: Object.fromEntries(assigned), blocks }
}
