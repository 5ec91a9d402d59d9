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
