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
