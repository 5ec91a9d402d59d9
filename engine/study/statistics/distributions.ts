import { spread } from '../summary.ts'

/**
 * Standard normal distribution function, to about 1e-15 absolute: the series of Marsaglia ("Evaluating the Normal
 * Distribution", 2004).
 */
export function normalCdf(x: number): number {
  if (Math.abs(x) > 8) return x > 0 ? 1 : 0
  let sum = x
  for (let term = x, i = 3; sum + term !== sum; i += 2) {
    term *= (x * x) / i
    sum += term
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI)
}

/** The x below which a standard normal lies with probability `p`, by bisection; -8 and 8 at the ends. */
export function normalQuantile(p: number): number {
  let low = -8
  let high = 8
  for (let i = 0; i < 56; i++) {
    const middle = (low + high) / 2
    if (normalCdf(middle) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * Student's t distribution with a whole number of degrees of freedom: the probability that |t| is at most
 * sqrt(freedom) tan(angle), as a finite series (Abramowitz and Stegun, 26.7.3 and 26.7.4).
 */
function within(angle: number, freedom: number): number {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  const odd = freedom % 2
  let term = odd ? cosine : 1
  let sum = freedom === 1 ? 0 : term
  for (let i = 2 + odd; i < freedom; i += 2) {
    term *= ((i - 1) / i) * cosine * cosine
    sum += term
  }
  return odd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum
}

/**
 * The t below which Student's t lies with probability `p`, between 0 and 1, by bisection, to about 1e-9 of it. `freedom`,
 * its degrees of freedom, is a whole number from 1 on; the time grows with it.
 */
export function studentTQuantile(p: number, freedom: number): number {
  if (p < 0.5) return -studentTQuantile(1 - p, freedom)
  let low = 0
  let high = Math.PI / 2
  for (let i = 0; i < 56; i++) {
    const middle = (low + high) / 2
    if (within(middle, freedom) < 2 * p - 1) low = middle
    else high = middle
  }
  return Math.sqrt(freedom) * Math.tan((low + high) / 2)
}

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

/** Seeds won, equal and lost, where numbers with the sign of `direction` are better. */
export function recordOf(numbers: readonly number[], direction: 1 | -1) {
  const [wins, losses] = [direction, -direction].map(
    (sign) => numbers.filter((each) => Math.sign(each) === sign).length,
  )
  return { wins: wins as number, ties: numbers.filter((each) => each === 0).length, losses: losses as number }
}

/** Gamma(m / 2) / (sqrt(m / 2) Gamma((m - 1) / 2)), about 1 - 3 / (4 m - 1), for m >= 2 degrees of freedom. */
function correction(m: number): number {
  let ratio = m % 2 === 0 ? 1 / Math.sqrt(Math.PI) : Math.sqrt(Math.PI) / 2 // of the two gammas, at 2 or 3
  for (let i = m % 2 === 0 ? 2 : 3; i < m; i += 2) ratio *= i / (i - 1)
  return ratio / Math.sqrt(m / 2)
}

/**
 * Two-sided p-value of McNemar's exact test: of the examples that one of two is right on and the other is not, `first` and
 * `second` by whose they are, as many for either in expectation (McNemar, "Note on the Sampling Error of the Difference Between
 * Correlated Proportions or Percentages", 1947; the binomial distribution in place of its approximation). 1 where there are none.
 */
export function mcnemar(first: number, second: number): number {
  const all = first + second
  const fewer = Math.min(first, second)
  let log = -all * Math.LN2 // of the probability of `i` of all
  let tail = 0
  for (let i = 0; i <= fewer; i++) {
    tail += Math.exp(log)
    log += Math.log((all - i) / (i + 1))
  }
  return Math.min(1, 2 * tail)
}
