/** The id of the text before the first header. */
export const PREAMBLE = 'top'

/** The id of an unnamed cell, by its place among all cells (0 is the first). */
export function positionId(index: number): string {
  return `cell-${index + 1}`
}

/**
 * The ids of cells with these names, '' for none. A name that is already taken gets `-2`, `-3`, ..., and no cell gets an
 * id that is the name of another. `headless`: the first cell is the text before the first header.
 */
export function idsOf(names: string[], headless: boolean): string[] {
  const taken = new Set(names)
  const seen = new Set<string>()
  const next = new Map<string, number>()
  return names.map((name, index) => {
    const first = name !== '' && !seen.has(name)
    const id = first ? name : unusedId(name || (index === 0 && headless ? PREAMBLE : positionId(index)), taken, next)
    seen.add(id)
    taken.add(id)
    return id
  })
}

/** `next`: for each name the first number that was not tried. */
function unusedId(name: string, taken: Set<string>, next: Map<string, number>): string {
  if (!taken.has(name)) return name
  let n = next.get(name) ?? 2
  while (taken.has(`${name}-${n}`)) n++
  next.set(name, n + 1)
  return `${name}-${n}`
}
