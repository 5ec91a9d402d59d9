/**
 * Evidence corrected for several comparisons, in the order given: the smallest mean of the evidence of any set of them that
 * has this one. Claiming what then reaches 20, any false claim is made in at most 5% of studies, however the comparisons
 * depend on each other (Vovk and Wang, "E-values: Calibration, Combination and Applications", 2021, algorithm 1; by the
 * closure principle it is to e-values what Holm's correction is to p-values). Since means of martingales are martingales,
 * that holds under looks at any time, too.
 */
export function eHolm(evidences: readonly number[]): number[] {
  const ascending = evidences.toSorted((a, b) => a - b)
  return evidences.map((own) => {
    let smallest = own
    let sum = own
    for (const [place, other] of ascending.entries()) {
      if (other >= own) break
      sum += other
      smallest = Math.min(smallest, sum / (place + 2))
    }
    return smallest
  })
}
