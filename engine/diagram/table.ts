import { toCsv } from '../display/csv.ts'
import type { DisplayValue } from '../display/types.ts'
import type { Diagram, DiagramOperation } from './diagram.ts'
import { shapeText } from './names.ts'
import type { DiagramNode } from './node.ts'
import { openedTo } from './opened.ts'
import { treeOf } from './tree.ts'

/** One part of a model in the table behind its diagram. */
export interface PartRow {
  node: DiagramNode
  /** How many parts are around it, without the model itself. */
  depth: number
}

/** The columns of the table, and of its CSV. */
export const COLUMNS = ['part', 'what', 'times', 'output', 'parameters', 'multiply-adds', 'bytes', 'line', 'difference']

/** All parts of a model in order, each before those inside it; of `open`, only those whose outer parts are open. */
export function rowsOf(root: DiagramNode, open?: ReadonlySet<string>): PartRow[] {
  const rows = (node: DiagramNode, depth: number): PartRow[] => {
    const isOpen = open === undefined || open.has(node.id)
    return [{ node, depth }, ...(isOpen ? node.children.flatMap((child) => rows(child, depth + 1)) : [])]
  }
  return root.children.flatMap((child) => rows(child, 0))
}

/** The values of a row; the name of the part stands below those around it, as a path. */
export function valuesOf({ node }: PartRow, { operations }: Pick<Diagram, 'operations'>): DisplayValue[] {
  const { id, kind, count, shape, parameters, macs, bytes, line, mark, from } = node
  const operation = kind === 'operation' ? operations[from] : undefined
  const difference = mark && [mark, operation?.was && `was ${operation.was}`].filter(Boolean).join(', ')
  return [id.slice(1), whatOf(node, operation), count, shapeText(shape), parameters, macs, bytes, line, difference]
}

/** What a part is: the operation, or the sort of a part of several. */
export function whatOf({ kind, wrong }: DiagramNode, operation: DiagramOperation | undefined): string {
  if (wrong !== null) return wrong
  return operation?.name ?? KINDS[kind]
}

const KINDS = { model: 'model', layer: 'layer', call: 'call', repeat: 'repeated', operation: '' }

/** The table behind a diagram as CSV, down to each operation. */
export function diagramCsv(diagram: Diagram, raw = false): string {
  return toCsv(
    COLUMNS,
    rowsOf(treeOf(diagram)).map((row) => valuesOf(row, diagram)),
    raw,
  )
}

/** The table for a terminal, so many levels deep: names are indented by what is around them. */
export function diagramTable(diagram: Diagram, root: DiagramNode, levels: number) {
  const marked = diagram.operations.some(({ mark }) => mark)
  const open = openedTo(root, levels)
  const rows = rowsOf(root, open).map((row) => {
    const [, what, times, output, parameters, macs, , line, difference] = valuesOf(row, diagram)
    const name = '  '.repeat(row.depth) + row.node.name + (times === 1 ? '' : ` (x${times})`)
    const cells = [name, what, output, grouped(parameters), grouped(macs), line, ...(marked ? [difference] : [])]
    return cells.map((cell) => String(cell ?? ''))
  })
  const heads = ['part', 'what', 'output', 'parameters', 'multiply-adds', 'line', ...(marked ? ['difference'] : [])]
  return { heads, rows, numbers: heads.map((head) => head === 'parameters' || head === 'multiply-adds') }
}

const grouped = (value: DisplayValue | undefined) => Number(value).toLocaleString('en-US')
