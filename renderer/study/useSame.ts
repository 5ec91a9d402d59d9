import { useState } from 'react'

/** The same list as before as long as its items are the same. */
export function useSame<T>(items: readonly T[]): readonly T[] {
  const [kept, keep] = useState(items)
  if (kept.length === items.length && kept.every((item, i) => item === items[i])) return kept
  keep(items)
  return items
}
