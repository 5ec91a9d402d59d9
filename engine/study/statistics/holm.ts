/**
 * Holm correction for multiple comparisons: adjusted p-values, in the order given (Holm, "A Simple Sequentially Rejective Multiple Test
 * Procedure", 1979): the smallest times k, the next times k - 1, and so on, never falling. `of` says which comparison each is
 * of, where a comparison has several hypotheses of which at most one can be true: then k counts the comparisons that have one
 * left (Shaffer, "Modified Sequentially Rejective Multiple Test Procedures", 1986).
 */
export function holm(ps: readonly number[], of: readonly number[] = ps.map((_, index) => index)): number[] {
  const adjusted: number[] = []
  const left = new Map<number, number>()
  for (const one of of) left.set(one, (left.get(one) ?? 0) + 1)
  let largest = 0
  const ascending = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p)
  for (const { p, index } of ascending) {
    largest = Math.min(1, Math.max(largest, p * left.size))
    adjusted[index] = largest
    const one = of[index] as number
    const rest = (left.get(one) ?? 0) - 1
    if (rest > 0) left.set(one, rest)
    else left.delete(one)
  }
  return adjusted
}
