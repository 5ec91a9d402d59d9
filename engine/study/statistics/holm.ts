/**
 * Holm correction for multiple comparisons: adjusted p-values, in the order given (Holm, "A Simple Sequentially Rejective Multiple Test
 * Procedure", 1979): the smallest times k, the next times k - 1, and so on, never falling.
 */
export function holm(ps: readonly number[]): number[] {
  const adjusted: number[] = []
  let largest = 0
  const ascending = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p)
  for (const [place, { p, index }] of ascending.entries()) {
    largest = Math.min(1, Math.max(largest, p * (ps.length - place)))
    adjusted[index] = largest
  }
  return adjusted
}
