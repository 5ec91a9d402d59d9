/** By what runs are grouped, the places of the groups among the colours, which they keep as long as the page is there. */
const known = new Map<string, Map<string, number>>()

/** Says which place a group has; those that have none yet get one, these in their order. */
export function placesOf(by: readonly string[], names: readonly string[]): (name: string) => number {
  const key = JSON.stringify(by)
  const places = known.get(key) ?? new Map<string, number>()
  known.set(key, places)
  const placeOf = (name: string) => {
    const place = places.get(name) ?? places.size
    places.set(name, place)
    return place
  }
  names.forEach(placeOf)
  return placeOf
}
