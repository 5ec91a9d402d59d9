import { idsOf, PREAMBLE } from './ids.ts'
import { isSameCell } from './merge.ts'
import type { Cell } from './types.ts'

/**
 * Gives unnamed cells of a changed file the ids that they had: an id by place is that of another cell once somebody adds
 * one above. What has the same text is the same cell; of those that lie between two such, the first is the first, if
 * they are as many as before.
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
    const left = before.slice(from, i).filter(isUnnamed)
    const places = cells.flatMap((cell, at) => (at >= to && at < j && isUnnamed(cell) ? [at] : []))
    if (left.length === places.length) for (const [n, at] of places.entries()) found.set(at, left[n] as Cell)
    const same = before[i]
    if (same) found.set(j, same)
    from = i + 1
    to = j + 1
  }
  for (const [at, cell] of cells.entries()) {
    const moved = before.find(
      (each) => isUnnamed(each) && isSameCell(each, cell) && ![...found.values()].includes(each),
    )
    if (moved && isUnnamed(cell) && !found.has(at)) found.set(at, moved)
  }
  return found
}

/** The longest common subsequence, as places in both. Cells with names are the same where their names are. */
function commonCells(a: Cell[], b: Cell[]): (readonly [number, number])[] {
  const isSame = (i: number, j: number) => {
    const [x, y] = [a[i] as Cell, b[j] as Cell]
    return isUnnamed(x) && isUnnamed(y) ? isSameCell(x, y) : x.id === y.id
  }
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i] as Uint16Array
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = isSame(i, j) ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  const places: (readonly [number, number])[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (isSame(i, j)) places.push([i++, j++])
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++
    else j++
  }
  return places
}
