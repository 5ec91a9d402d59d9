/** Seeds of a list that are written out; of more the rest is counted. */
const NAMED = 12

/** Seeds in words: `seeds 1 to 12`, `seeds 3, 4, 7`, or without the noun, `3, 4, 7`. */
export function seedsText(seeds: readonly number[], noun = true): string {
  const sorted = seeds.toSorted((a, b) => a - b)
  const [first = 0, ...others] = sorted
  const last = sorted.at(-1) ?? first
  const start = noun ? `seed${others.length > 0 ? 's' : ''} ` : ''
  if (others.length > 1 && last - first === others.length) return `${start}${first} to ${last}`
  const more = sorted.length > NAMED ? ` and ${sorted.length - NAMED} more` : ''
  return `${start}${sorted.slice(0, NAMED).join(', ')}${more}`
}
