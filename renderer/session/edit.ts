import { canBeName } from '../../engine/notebook/header.ts'
import type { Cell } from '../../engine/notebook/types.ts'

/** A cell on the page. `key` stays when the cell is renamed. */
export interface PageCell extends Cell {
  key: string
}

/** The cells without what only the page knows of them. */
export function plainCells(cells: PageCell[]): Cell[] {
  return cells.map(({ key: _, ...cell }) => cell)
}

/** Puts a new cell at `index`, with an id that is neither among the cells nor `taken`. */
export function inserted(
  cells: PageCell[],
  index: number,
  kind: Cell['kind'],
  key: string,
  taken: string[] = [],
): PageCell[] {
  return put(cells, index, { key, kind, id: freeId(cells, index, taken), source: '' })
}

/** Puts a cell at `index`; where its id is taken, it gets another. */
export function put(cells: PageCell[], index: number, cell: PageCell, taken: string[] = []): PageCell[] {
  const free = cells.every(({ id }) => id !== cell.id)
  const placed = free ? cell : { ...cell, id: freeId(cells, index, taken) }
  return [...cells.slice(0, index), placed, ...cells.slice(index)]
}

/** Moves a cell by one place; at the end of the notebook nothing happens. */
export function movedCell(cells: PageCell[], key: string, by: -1 | 1): PageCell[] {
  const from = cells.findIndex((cell) => cell.key === key)
  const to = from + by
  const cell = cells[from]
  if (!cell || to < 0 || to >= cells.length) return cells
  const rest = cells.filter((other) => other !== cell)
  return [...rest.slice(0, to), cell, ...rest.slice(to)]
}

/** Moves a cell to just before or after another one. */
export function movedBeside(cells: PageCell[], key: string, other: string, side: 'before' | 'after'): PageCell[] {
  const cell = cells.find((each) => each.key === key)
  if (!cell || key === other || cells.every((each) => each.key !== other)) return cells
  const both = side === 'before' ? (target: PageCell) => [cell, target] : (target: PageCell) => [target, cell]
  return cells.flatMap((each) => (each === cell ? [] : each.key === other ? both(each) : [each]))
}

/** Joins a cell with the one below it, if that is of the same kind. */
export function merged(cells: PageCell[], key: string): PageCell[] {
  const index = cells.findIndex((cell) => cell.key === key)
  const [cell, below] = [cells[index], cells[index + 1]]
  if (!cell || cell.kind !== below?.kind) return cells
  const source = [cell.source, below.source].filter(Boolean).join(cell.kind === 'markdown' ? '\n\n' : '\n')
  return cells.flatMap((each) => (each === cell ? [{ ...cell, source }] : each === below ? [] : [each]))
}

/** Why `name` cannot be the name of the cell `key`, or null. */
export function nameProblem(cells: PageCell[], key: string, name: string): string | null {
  if (!name) return 'a cell needs a name'
  if (!canBeName(name)) return "a name is one line that does not end in '{...}' or 'key=...'"
  if (cells.some((cell) => cell.id === name && cell.key !== key)) return `another cell is named '${name}'`
  return null
}

function freeId(cells: PageCell[], index: number, taken: string[]): string {
  const known = new Set([...cells.map((cell) => cell.id), ...taken])
  let number = index + 1
  while (known.has(`cell-${number}`)) number++
  return `cell-${number}`
}
