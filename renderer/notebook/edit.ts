import type { Cell } from '../../engine/notebook/types.ts'

/** A cell on the page. `key` stays when the cell is renamed. */
export interface PageCell extends Cell {
  key: string
}

/** Puts a new cell at `index`, with an id of its own. */
export function inserted(cells: PageCell[], index: number, kind: Cell['kind'], key: string): PageCell[] {
  return [...cells.slice(0, index), { key, kind, id: freeId(cells, index), source: '' }, ...cells.slice(index)]
}

/** Moves a cell by one place; at the end of the notebook nothing happens. */
export function moved(cells: PageCell[], key: string, by: -1 | 1): PageCell[] {
  const from = cells.findIndex((cell) => cell.key === key)
  const to = from + by
  const cell = cells[from]
  if (!cell || to < 0 || to >= cells.length) return cells
  const rest = cells.filter((other) => other !== cell)
  return [...rest.slice(0, to), cell, ...rest.slice(to)]
}

/** Why `name` cannot be the name of the cell `key`, or null. */
export function nameProblem(cells: PageCell[], key: string, name: string): string | null {
  if (!name) return 'a cell needs a name'
  if (/[[\]\r\n]/.test(name)) return 'a name is one line without brackets'
  if (cells.some((cell) => cell.id === name && cell.key !== key)) return `another cell is named '${name}'`
  return null
}

function freeId(cells: PageCell[], index: number): string {
  const taken = new Set(cells.map((cell) => cell.id))
  let number = index + 1
  while (taken.has(`cell-${number}`)) number++
  return `cell-${number}`
}
