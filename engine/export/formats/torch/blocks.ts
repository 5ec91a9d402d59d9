import type { TrainingGraph } from '../../graph/training.ts'
import { shapeText, type Value } from '../../graph/types.ts'
import { isSign, type TorchNode } from './printers.ts'

/** A block of a model whose code can be a class. */
export interface BlockCode {
  /** Where its parameters are, e.g. `blocks.3`. */
  path: string
  nodes: TorchNode[]
  input: Value
  output: Value
  /** Other values that it needs. */
  others: string[]
  /** The rate of its stochastic depth; 0 for none. */
  dropPath: number
}

/** Blocks that are made by the same class, one after the other. */
export interface Stack {
  /** The list that they are in, e.g. `blocks`. */
  path: string
  blocks: BlockCode[]
  /** The one that has all operations; others may lack stochastic depth. */
  whole: BlockCode
  /** Nodes that several blocks read, which come before them. */
  shared: Set<string>
}

/**
 * The blocks of a model as a stack, where they are alike but for their numbers and rates of stochastic depth; null where
 * they are not, or are made of what other code reads. `start` says what a tensor starts from.
 */
export function stackOf(
  graph: Pick<TrainingGraph, 'blocks' | 'output'>,
  nodes: TorchNode[],
  isTensor: (name: string) => boolean,
  scalars: ReadonlyMap<string, number>,
  start: (name: string) => string,
): Stack | null {
  const ends = graph.blocks
  if (ends.length < 2) return null
  const makers = new Map(nodes.map((node) => [node.output.name, node]))
  const parts = ends.slice(1).map((end, i) => between(makers, ends[i] as Value, end))
  const counts = new Map<string, number>()
  for (const name of parts.flatMap((part) => [...part])) counts.set(name, (counts.get(name) ?? 0) + 1)
  const shared = new Set([...counts].filter(([, count]) => count > 1).map(([name]) => name))
  for (const name of [...shared])
    for (const inner of between(makers, ends[0] as Value, { name } as Value)) shared.add(inner)
  const blocks = parts.map((part, i): BlockCode | null => {
    const own = nodes.filter(({ output }) => part.has(output.name) && !shared.has(output.name))
    const made = new Set(own.map(({ output }) => output.name))
    const [input, output] = [ends[i] as Value, ends[i + 1] as Value]
    const outside = own.flatMap(({ inputs }) => inputs.map(({ name }) => name)).filter((name) => !made.has(name))
    const path = pathOf(outside.filter(isTensor), i)
    if (path === null || !made.has(output.name)) return null
    const numbers = own.flatMap(({ operation, inputs }) => (isSign(operation) ? inputs.map(({ name }) => name) : []))
    const written = new Set(numbers.filter((name) => scalars.has(name)))
    const others = outside.filter((name) => name !== input.name && !name.startsWith(`${path}.`) && !written.has(name))
    const rates = new Set(
      own.flatMap(({ operation, attributes }) => (operation === 'DropPath' ? [attributes.rate] : [])),
    )
    if (rates.size > 1) return null
    return { path, nodes: own, input, output, others: [...new Set(others)], dropPath: Number([...rates][0] ?? 0) }
  })
  if (blocks.some((block) => block === null)) return null
  const known = blocks as BlockCode[]
  const [first] = known as [BlockCode]
  const list = first.path.replace(/\.?0$/, '')
  const digests = new Set(known.map((block) => digestOf(block, start)))
  if (list === '' || digests.size > 1 || known.some(({ path }, i) => path !== `${list}.${i}`)) return null
  const inside = new Map(known.flatMap(({ nodes }, i) => nodes.map(({ output }) => [output.name, i] as const)))
  const isAlone = nodes.every(({ output, inputs }) => {
    const own = inside.get(output.name)
    return inputs.every(({ name }) => {
      const from = inside.get(name)
      if (from === undefined || from === own) return true
      return name === known[from]?.output.name && (own === from + 1 || from === known.length - 1)
    })
  })
  const byTensors = nodes.every(({ output, inputs }) => {
    return inside.has(output.name) || inputs.every(({ name }) => !isTensor(name) || !name.startsWith(`${list}.`))
  })
  if (!isAlone || !byTensors) return null
  return { path: list, blocks: known, whole: known.find(({ dropPath }) => dropPath > 0) ?? first, shared }
}

/** What is made on the way from one value to another. */
function between(makers: Map<string, TorchNode>, from: Value, to: Value): Set<string> {
  const found = new Set<string>()
  const todo = [to.name]
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    const node = makers.get(name)
    if (name === from.name || found.has(name) || !node) continue
    found.add(name)
    todo.push(...node.inputs.map((input) => input.name))
  }
  return found
}

/** The path of block `i`, to which most of these tensors belong; null where none does. */
function pathOf(names: string[], i: number): string | null {
  const paths = names.flatMap((name) => {
    const parts = name.split('.')
    return parts.flatMap((part, at) =>
      part === String(i) && at < parts.length - 1 ? [parts.slice(0, at + 1).join('.')] : [],
    )
  })
  const counts = Map.groupBy(paths, (path) => path)
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null
}

/** What a block does, whatever its number, and but for its stochastic depth. */
function digestOf({ path, nodes, input, others }: BlockCode, start: (name: string) => string): string {
  const numbers = new Map([[input.name, 'x']])
  const named = (name: string) => {
    if (name.startsWith(`${path}.`)) return `.${name.slice(path.length)} ${start(name)}`
    return numbers.get(name) ?? name
  }
  const kept: unknown[] = []
  for (const { operation, inputs, output, attributes } of nodes) {
    const given = inputs.map(({ name }) => named(name))
    if (operation === 'DropPath') numbers.set(output.name, given[0] as string)
    else {
      numbers.set(output.name, `${kept.length}`)
      kept.push([operation, given, shapeText(output.shape), output.dtype, attributes])
    }
  }
  return JSON.stringify([kept, others])
}
