/** By what runs are grouped, the places of the groups among the colours, which they keep as long as the page is there. */
const known = new Map<string, Map<string, number>>()

/** Gives every group a place that has none yet, in their order, and says which place a group has. */
export function placesOf(by: readonly string[], names: readonly string[]): (name: string) => number {
  const key = JSON.stringify(by)
  const places = known.get(key) ?? new Map<string, number>()
  known.set(key, places)
  for (const name of names) if (!places.has(name)) places.set(name, places.size)
  return (name) => places.get(name) ?? 0
}
