import { ALPHA } from '../seeds.ts'

/** The evidence at which something is claimed: 20 to 1, since no fair bets reach that with a probability above 1 / 20. */
export const ENOUGH = 1 / ALPHA

/** The prior of the chance of the likelier sign: Beta(20, 4), whose median is 0.84, the chance at an effect of about 1. */
const LIKELIER = 20
const OTHER = 4

/**
 * The evidence of `more` positive and `less` negative signs against the hypothesis that both are equally likely, an
 * e-process: the capital of who began with 1 and has bet on each next sign at even odds. Half of it bets on a positive
 * median and half on a negative one, each by the mixture of all stakes under a Beta(20, 4) prior (Robbins, "Statistical
 * Methods Related to the Law of the Iterated Logarithm", 1970; Shafer, "Testing by Betting", 2021; Waudby-Smith and Ramdas,
 * "Estimating Means of Bounded Random Variables by Betting", 2023). Since it is a martingale with mean 1, it ever reaches
 * 20 in at most 5% of studies without any difference, however often one looks (Ville's inequality). It depends on the two
 * counts alone, not on their order. At most 1,000 signs, beyond which it overflows.
 */
export function evidence(more: number, less: number): number {
  return (capital(more, less) + capital(less, more)) / 2
}

/** The capital of who expects `hits`: 2^n times the mean of p^hits (1 - p)^misses over the prior, as a product of factors near 1. */
function capital(hits: number, misses: number): number {
  let product = 1
  for (let i = 0; i < hits; i++) product *= (2 * (LIKELIER + i)) / (LIKELIER + OTHER + i)
  for (let i = 0; i < misses; i++) product *= (2 * (OTHER + i)) / (LIKELIER + OTHER + hits + i)
  return product
}

/** The fewest seeds that can have so much evidence: all have one sign. */
export function fewestLooks(wanted = ENOUGH): number {
  let seeds = 1
  while (evidence(seeds, 0) < wanted) seeds += 1
  return seeds
}

/** `24 to 1`, `1.3 to 1`: rounded down, so that nothing below 20 is called 20. */
export function ratio(evidence: number): string {
  if (evidence > 1e6) return 'over 1000000 to 1'
  const digits = evidence < 10 ? 10 : 1
  return `${Math.floor(evidence * digits * (1 + 1e-12)) / digits} to 1`
}
