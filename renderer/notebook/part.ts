/** The cells of a notebook that are shown: from one place to before another. */
export interface Part {
  from: number
  to: number
}

const FIRST = 4
const STEP = 8
/** How many cells are shown before and after one that the user jumps to. */
const AROUND = 8
/** Characters of cells that come at once. */
const LONG = 4_000

/** The part that is shown where `selected`, if it is a place, has to be: the same, a little more, or another one. */
export function partWith(known: Part | null, selected: number, count: number): Part {
  const part = known ?? { from: 0, to: FIRST }
  const { from, to } = part
  if (from > 0 && from >= count) return { from: Math.max(0, count - AROUND), to: count }
  if (selected < 0 || (selected >= from && selected < to)) return part
  if (selected >= from - STEP && selected < from) return { from: selected, to }
  if (selected >= to && selected < to + STEP) return { from, to: selected + 1 }
  return { from: Math.max(0, selected - AROUND), to: selected + AROUND }
}

/** A few cells more, fewer of long ones; `lengthOf` gives the characters of the cell at a place. */
export function withMore({ from, to }: Part, where: 'up' | 'down', lengthOf: (place: number) => number): Part {
  let more = 0
  for (let length = 0; more < STEP && length < LONG; more++)
    length += lengthOf(where === 'up' ? from - more - 1 : to + more)
  return where === 'up' ? { from: Math.max(0, from - more), to } : { from, to: to + more }
}
