import { type Key, permutation } from '../random.ts'

/**
 * Cuts a share of `members` off the end of a permutation keyed by `key`. At least one example is held out and one is
 * kept wherever there are two. Both parts keep the order of `members`.
 */
export function holdOut(members: readonly number[], fraction: number, key: Key): { kept: number[]; held: number[] } {
  const count = Math.min(Math.max(1, Math.round(members.length * fraction)), Math.max(0, members.length - 1))
  const held = new Set(permutation(key, members.length).subarray(members.length - count))
  return {
    kept: members.filter((_, i) => !held.has(i)),
    held: members.filter((_, i) => held.has(i)),
  }
}
