import { integer, type Key, uniform } from '../../../random.ts'

/** Draws one after the other from the stream of a key. */
export interface WorldDraws {
  /** Uniform in 0..count-1. */
  below(count: number): number
  /** True with probability `share`. */
  chance(share: number): boolean
  /** One of a list, all equally likely. */
  pick<T>(list: readonly T[]): T
  /** One of a list; the first are common and the last rare, the more so the larger `slope` (1 is uniform). */
  pickSloped<T>(list: readonly T[], slope: number): T
}

export function draws(key: Key): WorldDraws {
  let counter = 0
  const below = (count: number) => integer(key, counter++, count)
  return {
    below,
    chance: (share) => uniform(key, counter++) < share,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    pickSloped: <T>(list: readonly T[], slope: number) =>
      list[Math.floor(list.length * uniform(key, counter++) ** slope)] as T,
  }
}
