import { arrange, type Joined, type Point } from './arrange.ts'
import type { Diagram, DiagramOperation, Mark } from './diagram.ts'
import { linesOf } from './lines.ts'
import type { DiagramNode } from './node.ts'

/** A part of a model in its place, from the upper left corner of the picture in pixels. */
export interface Box {
  node: DiagramNode
  x: number
  y: number
  width: number
  height: number
  /** Whether what is inside is shown. */
  open: boolean
  /** How many boxes are around it. */
  depth: number
  /** What is written in it; the first line is its name. */
  lines: string[]
}

/** What goes from one part to another. */
export interface Line {
  points: Point[]
  /** Shape of the tensor. */
  shape: number[]
  mark: Mark | null
}

/** A diagram with all its places. */
export interface Picture {
  width: number
  height: number
  /** Those around others before these. */
  boxes: Box[]
  lines: Line[]
  /** Where what a part gets and gives enters and leaves what is inside it. */
  ports: Point[]
}

const MARGIN = 12
const PADDING = 12
const LINE_HEIGHT = 16
/** Of a sign of the font, on average, and of a name. */
const [SIGN, BOLD] = [6.3, 7.1]
const [NARROWEST, WIDEST] = [96, 420]
const PORT = 6

/** Lays out a model; `open` has the ids of the parts whose inside is shown. The model itself is always open. */
export function pictureOf(diagram: Diagram, root: DiagramNode, open: ReadonlySet<string>): Picture {
  const { boxes, lines, ports, width, height } = inside(root, diagram, open, 0)
  const shift = moved(MARGIN, MARGIN)
  return {
    width: width + 2 * MARGIN,
    height: height + 2 * MARGIN,
    boxes: boxes.map(shift.box),
    lines: lines.map(shift.line),
    ports: ports.map(shift.point),
  }
}

/** What is inside a part, from its own upper left corner. */
function inside(around: DiagramNode, diagram: Diagram, open: ReadonlySet<string>, depth: number): Picture {
  const { operations } = diagram
  const children = around.children.map((node) => boxOf(node, diagram, open, depth))
  const joins = joinsIn(around, operations)
  const entry = children.length
  const exit = entry + 1
  const isModel = around.kind === 'model'
  const input = { width: isModel ? widthOf([`input ${diagram.input.join(' × ')}`]) : PORT, height: isModel ? 26 : PORT }
  const used = joins.filter(({ to }) => to !== exit || !isModel)
  const ends = isModel ? [input] : [input, { width: PORT, height: PORT }]
  const arranged = arrange([...children.map(({ box }) => box), ...ends], used)
  const picture: Picture = { ...arranged, boxes: [], lines: [], ports: [] }
  for (const [i, { box, within }] of children.entries()) {
    const [x, y] = arranged.places[i] as Point
    picture.boxes.push({ ...box, x, y })
    if (!within) continue
    const shift = moved(x + PADDING, y + headOf(box))
    picture.boxes.push(...within.boxes.map(shift.box))
    picture.lines.push(...within.lines.map(shift.line))
    picture.ports.push(...within.ports.map(shift.point))
  }
  picture.lines.push(...used.map(({ shape, mark }, i) => ({ points: arranged.lines[i] as Point[], shape, mark })))
  const [x, y] = arranged.places[entry] as Point
  if (isModel) picture.boxes.push({ ...inputBox(diagram), ...input, x, y })
  else {
    for (const port of [entry, exit]) {
      const [x, y] = arranged.places[port] as Point
      picture.ports.push([x + PORT / 2, y + PORT / 2])
    }
  }
  return picture
}

/** What a model reads, as a box. */
function inputBox({ input }: Diagram): Omit<Box, 'x' | 'y' | 'width' | 'height'> {
  const node: DiagramNode = {
    ...{ id: '/input', kind: 'operation', name: 'input', from: 0, to: 0, count: 1, children: [], shape: input },
    ...{ parameters: 0, macs: 0, bytes: 0, line: null, mark: null, wrong: null },
  }
  return { node, open: false, depth: 0, lines: [`input ${input.join(' × ')}`] }
}

function boxOf(
  node: DiagramNode,
  diagram: Diagram,
  open: ReadonlySet<string>,
  depth: number,
): { box: Box; within: Picture | null } {
  const lines = linesOf(node, diagram)
  const box = {
    node,
    lines,
    depth,
    open: false,
    x: 0,
    y: 0,
    width: widthOf(node.mark ? [`+ ${lines[0]}`, ...lines.slice(1)] : lines), // the sign of a difference stands before the name
    height: 10 + LINE_HEIGHT * lines.length,
  }
  if (node.children.length === 0 || !open.has(node.id)) return { box, within: null }
  const within = inside(node, diagram, open, depth + 1)
  const width = Math.max(box.width, within.width + 2 * PADDING)
  const spare = (width - 2 * PADDING - within.width) / 2
  const height = headOf(box) + within.height + PADDING
  return { box: { ...box, open: true, width, height }, within: shifted(within, spare) }
}

/** Height of what is written above the inside of a box. */
const headOf = ({ lines }: Pick<Box, 'lines'>) => 10 + LINE_HEIGHT * lines.length

function widthOf(lines: readonly string[]): number {
  const longest = Math.max(...lines.map((line, i) => line.length * (i === 0 ? BOLD : SIGN)))
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, longest + 30)))
}

/** Between the children of a part, its entry (the number after the last child) and its exit: each pair once. */
function joinsIn(around: DiagramNode, operations: readonly DiagramOperation[]): (Joined & Omit<Line, 'points'>)[] {
  const { children, from, to } = around
  const entry = children.length
  const [start, end] = [children[0]?.from ?? from, children.at(-1)?.to ?? to]
  const childOf = new Map<number, number>()
  for (const [i, { from, to }] of children.entries()) for (let at = from; at < to; at++) childOf.set(at, i)
  const found = new Map<string, Joined & Omit<Line, 'points'>>()
  const join = (from: number, to: number, shape: number[], mark: Mark | null) => {
    const known = found.get(`${from} ${to}`)
    if (!known || (known.mark && !mark)) found.set(`${from} ${to}`, { from, to, shape, mark })
  }
  for (let at = start; at < end; at++) {
    for (const { operation, parameter, constant, shape, mark = null } of operations[at]?.inputs ?? []) {
      if (parameter !== undefined || constant !== undefined) continue
      const child = childOf.get(at) as number
      const outside = operation === undefined || operation < start
      const source = outside ? entry : (childOf.get(operation) as number)
      if (source !== child) join(source, child, shape, mark)
    }
  }
  const later = operations.slice(end).flatMap(({ inputs }) => inputs)
  const read = new Map(later.map(({ operation = -1, shape }) => [operation, shape]))
  if (end === operations.length && end > start) read.set(end - 1, operations[end - 1]?.shapes[0] ?? []) // what the model gives
  for (let at = start; at < end; at++) {
    const shape = read.get(at)
    if (shape) join(childOf.get(at) as number, entry + 1, shape, null)
  }
  for (const [i, { wrong }] of children.entries()) {
    if (wrong !== null) join(i > 0 ? i - 1 : entry, i, children[i - 1]?.shape ?? [], null)
  }
  return [...found.values()]
}

function moved(dx: number, dy: number) {
  const point = ([x, y]: Point): Point => [x + dx, y + dy]
  return {
    point,
    box: (box: Box): Box => ({ ...box, x: box.x + dx, y: box.y + dy }),
    line: (line: Line): Line => ({ ...line, points: line.points.map(point) }),
  }
}

function shifted(picture: Picture, dx: number): Picture {
  const { box, line, point } = moved(dx, 0)
  const { boxes, lines, ports } = picture
  return { ...picture, boxes: boxes.map(box), lines: lines.map(line), ports: ports.map(point) }
}
