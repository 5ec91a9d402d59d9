import { idsOf, PREAMBLE } from './ids.ts'
import { isSameCell } from './merge.ts'
import type { Cell } from './types.ts'

/**
 * Gives unnamed cells of a changed file the ids that they had: an id by place moves to another cell when a cell is
 * added above. A cell with the same text is the same cell; between two such, cells keep their ids by order where their
 * number is the same.
 */
export function keepIds(cells: Cell[], before: Cell[]): Cell[] {
  const known = pairs(before, cells)
  const names = cells.map((cell, index) => (isUnnamed(cell) ? (known.get(index)?.id ?? '') : cell.id))
  const ids = idsOf(names, cells[0]?.id === PREAMBLE)
  return cells.map((cell, index) => ({ ...cell, id: ids[index] ?? cell.id }))
}

function isUnnamed({ id }: Cell): boolean {
  return id === PREAMBLE || /^cell-\d+(-\d+)?$/.test(id)
}

/** The cells of `before` by the place of their like in `cells`. */
function pairs(before: Cell[], cells: Cell[]): Map<number, Cell> {
  const found = new Map<number, Cell>()
  let [from, to] = [0, 0]
  for (const [i, j] of [...commonCells(before, cells), [before.length, cells.length] as const]) {
    const gone = before.slice(from, i).filter(isUnnamed)
    const places = cells.slice(to, j).flatMap((cell, at) => (isUnnamed(cell) ? [to + at] : []))
    if (gone.length === places.length) for (const [n, at] of places.entries()) found.set(at, gone[n] as Cell)
    const same = before[i]
    if (same) found.set(j, same)
    from = i + 1
    to = j + 1
  }
  const left = new Map<string, Cell[]>() // by content, the first last
  const kept = new Set(found.values())
  for (const cell of before.toReversed()) {
    if (!isUnnamed(cell) || kept.has(cell)) continue
    const alike = left.get(contentOf(cell))
    if (alike) alike.push(cell)
    else left.set(contentOf(cell), [cell])
  }
  for (const [at, cell] of cells.entries()) {
    const moved = isUnnamed(cell) && !found.has(at) ? left.get(contentOf(cell))?.pop() : undefined
    if (moved) found.set(at, moved)
  }
  return found
}

function contentOf({ kind, source, metadata }: Cell): string {
  return JSON.stringify([kind, source, metadata])
}

/** How many pairs of cells are compared at most: a notebook of thousands that are all new keeps no ids. */
const PAIRS = 4_000_000

/** The longest common subsequence, as places in both. Cells with names are the same where their names are. */
function commonCells(a: Cell[], b: Cell[]): [number, number][] {
  const isSame = (i: number, j: number) => {
    const [x, y] = [a[i] as Cell, b[j] as Cell]
    return isUnnamed(x) && isUnnamed(y) ? isSameCell(x, y) : x.id === y.id
  }
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && isSame(start, start)) start++
  let end = 0
  while (end < most - start && isSame(a.length - 1 - end, b.length - 1 - end)) end++
  const [rows, columns] = [a.length - start - end, b.length - start - end]
  const between = rows * columns > PAIRS ? [] : longest(rows, columns, (i, j) => isSame(start + i, start + j))
  return [
    ...Array.from({ length: start }, (_, i): [number, number] => [i, i]),
    ...between.map(([i, j]): [number, number] => [start + i, start + j]),
    ...Array.from({ length: end }, (_, i): [number, number] => [a.length - end + i, b.length - end + i]),
  ]
}

function longest(rows: number, columns: number, isSame: (i: number, j: number) => boolean): [number, number][] {
  const lengths = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1))
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = rows - 1; i >= 0; i--) {
    const row = lengths[i] as Uint16Array
    for (let j = columns - 1; j >= 0; j--) {
      row[j] = isSame(i, j) ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  const places: [number, number][] = []
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (isSame(i, j)) places.push([i++, j++])
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++
    else j++
  }
  return places
}
