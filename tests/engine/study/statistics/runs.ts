import type { ComparedRun } from '../../../../engine/study/statistics/judgement.ts'
import { MEANINGS } from '../../../meanings.ts'

let id = 0

/** A run that is done, newer than those before. */
export function run(
  variant: string,
  seed: number,
  last: number,
  { metric = 'test/accuracy', best = last, ...more }: Partial<ComparedRun> & { metric?: string; best?: number } = {},
): ComparedRun {
  id += 1
  return {
    id,
    variant,
    seed,
    status: 'done',
    backend: 'simd',
    metrics: { [metric]: { last, best, meaning: MEANINGS[metric] } },
    ...more,
  }
}

/** Runs of a variant with seeds 1, 2, ... */
export function runsOf(variant: string, values: number[], more: Parameters<typeof run>[3] = {}): ComparedRun[] {
  return values.map((value, i) => run(variant, i + 1, value, more))
}
