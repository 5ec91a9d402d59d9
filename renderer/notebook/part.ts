/** The cells of a notebook that are shown: from one place to before another. */
export interface Part {
  from: number
  to: number
}

const FIRST = 4
const STEP = 8

/** The part that is shown where `selected`, if it is a place, has to be: the same, a little more, or another one. */
export function partWith(known: Part | null, selected: number, count: number): Part {
  const part = known ?? { from: 0, to: FIRST }
  const { from, to } = part
  if (from > 0 && from >= count) return { from: Math.max(0, count - STEP), to: count }
  if (selected < 0 || (selected >= from && selected < to)) return part
  if (selected >= from - STEP && selected < from) return { from: selected, to }
  if (selected >= to && selected < to + STEP) return { from, to: selected + 1 }
  return { from: Math.max(0, selected - STEP), to: selected + STEP }
}

/** A few cells more. */
export function withMore({ from, to }: Part, where: 'up' | 'down'): Part {
  return where === 'up' ? { from: Math.max(0, from - STEP), to } : { from, to: to + STEP }
}
