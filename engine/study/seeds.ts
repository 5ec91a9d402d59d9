import { type AnytimeSeeds, isAnytime, seedsUpTo } from './statistics/sequentialTest.ts'

/** How many seeds a study has where nothing is said. */
export const DEFAULT_SEEDS = 3

/** Seeds 1 to `seeds`, or up to the last one, or the list as given. */
export function seedList(seeds: number | number[] | AnytimeSeeds): number[] {
  if (isAnytime(seeds)) return seedsUpTo(seeds)
  return typeof seeds === 'number' ? Array.from({ length: seeds }, (_, i) => i + 1) : seeds
}
