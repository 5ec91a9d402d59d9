import { spread } from '../summary.ts'

/**
 * Effect size, the standardised mean difference of pairs: the mean of the differences over their standard deviation (d_z), made smaller by
 * Hedges' exact correction for few pairs ("Distribution Theory for Glass's Estimator of Effect Size", 1981). Null below
 * three pairs, where the correction leaves nothing, and where all differences are equal.
 */
export function effect(differences: readonly number[]): number | null {
  const { mean, sd } = spread(differences)
  if (differences.length < 3 || mean === null || sd === null || sd <= Math.abs(mean) * 1e-9) return null
  return (mean / sd) * correction(differences.length - 1)
}

/** Gamma(m / 2) / (sqrt(m / 2) Gamma((m - 1) / 2)), about 1 - 3 / (4 m - 1), for m >= 2 degrees of freedom. */
function correction(m: number): number {
  let ratio = m % 2 === 0 ? 1 / Math.sqrt(Math.PI) : Math.sqrt(Math.PI) / 2 // of the two gammas, at 2 or 3
  for (let i = m % 2 === 0 ? 2 : 3; i < m; i += 2) ratio *= i / (i - 1)
  return ratio / Math.sqrt(m / 2)
}
