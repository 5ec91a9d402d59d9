/** The values of what was chosen from, of one name or several. */
export interface Chosen {
  name: string
  levels: readonly (string | number | boolean)[]
  chosen: readonly (string | number | boolean | undefined)[]
}

/** Which numbers that were chosen are the smallest or the largest that were tried, in words; nothing where none is. */
export function edgesText(all: readonly Chosen[]): string[] {
  const found = all.flatMap(({ name, levels, chosen }) => {
    const numbers = levels.filter((level) => typeof level === 'number')
    const ends = numbers.length > 0 ? [Math.min(...numbers), Math.max(...numbers)] : []
    return ends.filter((end) => chosen.includes(end)).map((end) => `${name} ${end}`)
  })
  if (found.length === 0) return []
  if (found.length === 1) return [`${found[0]} is at the end of its values, and a better one may lie beyond`]
  return [`${found.join(' and ')} are at the ends of their values, and better ones may lie beyond`]
}
