import type { Diagram, DiagramOperation } from './diagram.ts'
import { shapeText, shortCount } from './names.ts'
import type { DiagramNode } from './node.ts'

/** What is written in the box of a part; the first line is its name. */
export function linesOf(node: DiagramNode, { operations }: Pick<Diagram, 'operations'>): string[] {
  const { kind, name, count, shape, wrong, from } = node
  if (wrong !== null) return [name, ...wrapped(wrong)]
  if (kind === 'operation') return ofOperation(node, operations[from] as DiagramOperation)
  const title = count > 1 ? `${name}  × ${count}` : name
  return [title, shapeText(shape), ...costLine(node)]
}

function ofOperation(node: DiagramNode, { name, view, shapes, was }: DiagramOperation): string[] {
  const own = node.name === name ? name : `${node.name} (${name})`
  const [shape] = shapes
  const given = shapes.length > 1 ? `${shapes.length} of ${shapeText(shape)}` : shapeText(shape)
  const place = node.line === null ? [] : [node.line]
  const before = was ? wrapped(`was ${was}`) : []
  if (view) return [`${own}  ${given}`, ...place, ...before]
  return [own, given, ...costLine(node), ...place, ...before]
}

function costLine({ parameters, macs }: Pick<DiagramNode, 'parameters' | 'macs'>): string[] {
  const parts = [
    ...(parameters > 0 ? [`${shortCount(parameters)} parameters`] : []),
    ...(macs > 0 ? [`${shortCount(macs)} MACs`] : []),
  ]
  return parts.length > 0 ? [parts.join(', ')] : []
}

/** Signs in a line of a sentence. */
const WRAP = 44

function wrapped(text: string): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string
    if (line && line.length + word.length >= WRAP) lines.push(word)
    else lines[lines.length - 1] = line ? `${line} ${word}` : word
  }
  return lines
}
