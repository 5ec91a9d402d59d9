/** Groups in which the sums over a batch are taken; their number is part of the bits, and most threads that share them. */
export const GROUPS = 16

/** A group has at least so many terms. */
const TERMS = 32
/** Elements of a result beyond which its partial sums would leave the L2 cache. */
const LARGEST = 131_072

/**
 * Whether a product `[k, m]^T [k, n]`, as that of a weight gradient, is taken in groups: 16 sums of as many terms each,
 * then their sum. So a compiled program can add to them chunk by chunk, while the factors are in the cache. `terms` are
 * those that there were before such of zeros were left out.
 */
export function inGroups(m: number, k: number, n: number, terms = k): boolean {
  return k % GROUPS === 0 && terms % GROUPS === 0 && terms >= GROUPS * TERMS && m * n <= LARGEST
}

/**
 * Whether such a product over the rows of `examples` has the same bits when rows of zeros are left out, as a product adds
 * one row after the other, in groups of whole examples at most.
 */
export function keepsBits(examples: number, m: number, k: number, n: number): boolean {
  return examples % GROUPS === 0 || !inGroups(m, k, n)
}
