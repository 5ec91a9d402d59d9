import { shapeText, type Value } from '../../graph/types.ts'
import { printers, type TorchNode, tightness } from './printers.ts'

/** What the body of a `forward` knows. */
export interface Surroundings {
  /** Arguments, by the values that they are. */
  given: Map<string, string>
  /** A parameter, buffer or table as an expression. */
  tensor(name: string): string
  /** A module that does a node. */
  module(node: TorchNode): string | null
  /** Numbers that the code has in it, by the names of their values. */
  scalars: Map<string, number>
  /** The rate of stochastic depth where it is not in the code. */
  dropPath: string | null
}

/** Expressions are put into one another up to this length and depth. */
const WIDTH = 84
const DEPTH = 4

/** Names of values, in the order in which they are taken. */
const NAMES = ['x', 'y', 'z', 'u', 'v', 'w', 'q', 'k', 'a', 'b', 'c', 'd', 'e', 'g', 'h']

type Mode = 'both' | 'training' | 'evaluation'

interface Line {
  node: TorchNode
  expression: string
  depth: number
  /** Whether it draws numbers. */
  draws: boolean
  /** Values that it reads, by the names of the graph. */
  reads: string[]
}

/** The lines of a `forward` that returns `output`. */
export function bodyOf(nodes: TorchNode[], output: Value, around: Surroundings): string[] {
  const modes = modesOf(nodes, output)
  return named(linesOf(nodes, output, modes, around), output, modes, around)
}

/** A line for each value that does not stand in the expression of its only reader. */
function linesOf(nodes: TorchNode[], output: Value, modes: Map<string, Mode>, around: Surroundings): Line[] {
  const lines = new Map<string, Line>()
  const uses = new Map<string, number>()
  for (const { name } of nodes.flatMap(({ inputs }) => inputs)) uses.set(name, (uses.get(name) ?? 0) + 1)
  let lastDraw = ''

  for (const node of nodes) {
    const reader: Line = { node, expression: '', depth: 0, draws: /^Drop/.test(node.operation), reads: [] }
    let length = 0
    const part = (i: number): { expression: string; from?: TorchNode } => {
      const { name } = node.inputs[i] as Value
      const line = lines.get(name)
      if (!line) return { expression: around.given.has(name) ? read(reader, name) : around.tensor(name) }
      const isInside =
        name !== output.name &&
        uses.get(name) === 1 &&
        !['Choose', 'Loop'].includes(line.node.operation) &&
        !['Fill', 'Assign'].includes(node.operation) &&
        !(node.operation === 'Loop' && i > 0) &&
        modes.get(name) === modes.get(node.output.name) &&
        line.depth < DEPTH &&
        length + line.expression.length <= WIDTH &&
        (!line.draws || lastDraw === name) // masks are drawn in the order of the code
      if (!isInside) return { expression: read(reader, name) }
      lines.delete(name)
      length += line.expression.length
      reader.depth = Math.max(reader.depth, line.depth + 1)
      reader.draws ||= line.draws
      reader.reads.push(...line.reads)
      return { expression: line.expression, from: line.node }
    }
    reader.expression = printers[node.operation]({
      node,
      input: (i) => part(i).expression,
      operand: (i, tight = Number.POSITIVE_INFINITY) => {
        const { expression, from } = part(i)
        return from && tightness(from) < Math.min(tight, 5) ? `(${expression})` : expression
      },
      scalar: (i) => around.scalars.get(node.inputs[i]?.name ?? ''),
      module: around.module(node),
      dropPath: around.dropPath,
    })
    if (reader.draws) lastDraw = node.output.name
    lines.set(node.output.name, reader)
  }
  return [...lines.values()]
}

/** On either side of a value that has a name, until it has it. */
const HOLE = '\uE000'

/** A value that has a name. */
function read(line: Line, name: string): string {
  line.reads.push(name)
  return `${HOLE}${name}${HOLE}`
}

/** The lines with names for their values; a name is free again after its last use. */
function named(lines: Line[], output: Value, modes: Map<string, Mode>, around: Surroundings): string[] {
  const lastUse = new Map(lines.flatMap(({ reads }, i) => reads.map((name) => [name, i] as const)))
  lastUse.set(output.name, lines.length)
  const names = new Map(around.given)
  const busy = new Set(names.values())
  const fixed = new Set([...names.values()].filter((name) => !NAMES.includes(name)))
  const nextName = () => {
    const known = NAMES.find((name) => !busy.has(name))
    for (let i = 0; ; i++) if (known || !busy.has(`v${i}`)) return known ?? `v${i}`
  }
  const filled = (expression: string) =>
    expression
      .split(HOLE)
      .map((part, at) => (at % 2 ? names.get(part) : part))
      .join('')
  const found: string[] = []
  let before: Mode = 'both'
  for (const [i, { node, expression, reads }] of lines.entries()) {
    const right = filled(expression)
    const mode = modes.get(node.output.name) ?? 'both'
    if (mode !== before && mode !== 'both') found.push(`if ${mode === 'training' ? '' : 'not '}self.training:`)
    before = mode
    const indent = mode === 'both' ? '' : '    '
    if (node.operation === 'Assign') {
      found.push(`${indent}${around.tensor(node.inputs[0]?.name as string)} = ${right}`)
      continue
    }
    const others = node.operation === 'Loop' ? node.inputs.slice(1).map(({ name }) => name) : []
    for (const name of reads) {
      if (others.includes(name)) continue
      const done = lastUse.get(name) === i ? names.get(name) : undefined
      if (done !== undefined && !fixed.has(done)) busy.delete(done)
    }
    const name = nextName()
    busy.add(name)
    names.set(node.output.name, name)
    if (node.operation === 'Loop') {
      if (right !== name) found.push(`${name} = ${right}`)
      const given = others.map((other) => names.get(other) ?? around.tensor(other))
      found.push(
        `for block in ${node.attributes.list}:`,
        `    ${name} = block(${[name, ...given].join(', ')})${comment(node)}`,
      )
      continue
    }
    found.push(`${indent}${name} = ${right}${comment(node)}`)
  }
  const [name, end] = [names.get(output.name), found.at(-1) ?? '']
  const isLast = lines.at(-1)?.node.output.name === output.name && end.startsWith(`${name} = `)
  return isLast ? [...found.slice(0, -1), `return ${end.slice(`${name} = `.length)}`] : [...found, `return ${name}`]
}

const comment = ({ output }: TorchNode) => `  # ${shapeText(output.shape)}`

/** In which mode each value is needed. */
function modesOf(nodes: TorchNode[], output: Value): Map<string, Mode> {
  const modes = new Map<string, Mode>([[output.name, 'both']])
  const need = ({ name }: Value, mode: Mode) => {
    const before = modes.get(name)
    modes.set(name, before === undefined || before === mode ? mode : 'both')
  }
  for (const node of nodes.toReversed()) {
    if (node.operation === 'Assign') need(node.output, 'training')
    const mode = modes.get(node.output.name) ?? 'both'
    for (const [i, input] of node.inputs.entries()) {
      const own = i === 0 ? 'training' : 'evaluation'
      need(input, node.operation === 'Choose' && mode === 'both' ? own : mode)
    }
  }
  return modes
}
