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
