import type { Cell } from './types.ts'

/** A cell that both sides changed since the base, each in its own way; null where a side deleted it. */
export interface CellConflict {
  id: string
  mine: Cell | null
  theirs: Cell | null
}

export interface Merge {
  /** With the changes of both sides; cells in conflict as `mine` has them. */
  cells: Cell[]
  conflicts: CellConflict[]
}

/** Brings two changed notebooks together, cell by cell; `base` is what both come from. Where both moved cells, mine stay. */
export function mergeNotebooks(base: Cell[], mine: Cell[], theirs: Cell[]): Merge {
  const [inBase, inMine, inTheirs] = [byId(base), byId(mine), byId(theirs)]
  const merged = new Map<string, Cell>()
  const conflicts: CellConflict[] = []
  for (const id of new Set([...inMine.keys(), ...inTheirs.keys()])) {
    const [before, my, their] = [inBase.get(id) ?? null, inMine.get(id) ?? null, inTheirs.get(id) ?? null]
    const cell = isSameCell(my, before) ? their : my
    if (cell) merged.set(id, cell)
    if (cell === my && !isSameCell(their, before) && !isSameCell(my, their)) {
      conflicts.push({ id, mine: my, theirs: their })
    }
  }
  const [first, second] = movedFrom(base, mine) ? [mine, theirs] : [theirs, mine]
  const order = placedLike(idsIn(first, merged), idsIn(second, merged))
  return { cells: order.flatMap((id) => merged.get(id) ?? []), conflicts }
}

/**
 * `cells` with the cell of this id replaced by `cell`, or removed where `cell` is null; a new cell gets the place that
 * it has in `like`.
 */
export function withCell(cells: Cell[], id: string, cell: Cell | null, like: Cell[]): Cell[] {
  const all = byId(cells)
  if (cell) all.set(id, cell)
  else all.delete(id)
  const order = cells.map((each) => each.id)
  return (cell ? placedLike(order, idsIn(like, all)) : order).flatMap((each) => all.get(each) ?? [])
}

export function isSameCell(a: Cell | null, b: Cell | null): boolean {
  return a?.kind === b?.kind && a?.source === b?.source && a?.metadata === b?.metadata
}

function byId(cells: Cell[]): Map<string, Cell> {
  return new Map(cells.map((cell) => [cell.id, cell]))
}

/** The ids of those cells that are also in `among`. */
function idsIn(cells: Cell[], among: Map<string, Cell>): string[] {
  return cells.flatMap(({ id }) => (among.has(id) ? [id] : []))
}

/** Whether the cells that are still there have another order. */
function movedFrom(base: Cell[], cells: Cell[]): boolean {
  const order = idsIn(cells, byId(base))
  return idsIn(base, byId(cells)).some((id, index) => order[index] !== id)
}

/** `order` and what else is in `like`, behind what it stands behind there. */
function placedLike(order: string[], like: string[]): string[] {
  const known = new Set(order)
  const first: string[] = []
  const behind = new Map<string, string[]>()
  let last = first
  for (const id of like) {
    if (known.has(id)) {
      last = []
      behind.set(id, last)
    } else last.push(id)
  }
  return [...first, ...order.flatMap((id) => [id, ...(behind.get(id) ?? [])])]
}
