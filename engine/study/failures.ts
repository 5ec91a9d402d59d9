import type { RunStatus } from '../records/run.ts'

/** What of a run says whether it failed. */
interface Ended {
  variant: string
  seed: number
  status: RunStatus | 'waiting'
  error: string | null
  /** Not tried, since its code has failed with another seed. */
  skipped?: boolean | undefined
}

/** The runs that failed for one reason. */
export interface Failure {
  reason: string
  /** `gmlp, seeds 1, 2; mixer, seed 1`. */
  runs: string
}

/** Why runs failed, the reason of the most first; of those that differ in numbers of their seed alone, that of the first. */
export function failuresOf(runs: readonly Ended[]): Failure[] {
  const failed = runs.filter(({ status }) => status === 'failed')
  const reasons = [...Map.groupBy(failed, ({ error }) => withoutStep(error ?? 'unknown')).values()]
  return reasons
    .toSorted((one, other) => other.length - one.length)
    .map((alike) => ({ reason: alike[0]?.error ?? 'unknown', runs: namesOf(alike) }))
}

/** Why a run failed; of a loss that is not finite without the step and the values, which every seed has its own of. */
function withoutStep(error: string): string {
  return error.replace(/(\bloss is \S+) at step \d+(.*?)(, (in|where) .* step \d+.*|; .*)?$/, '$1$2')
}

/** Runs by their names: `gmlp, seeds 1, 2; mixer, seed 1`. */
function namesOf(runs: readonly Ended[]): string {
  const byVariant = [...Map.groupBy(runs, ({ variant }) => variant)]
  return byVariant
    .map(([variant, own]) => {
      const seeds = own.flatMap(({ seed, skipped }) => (skipped ? [] : [seed])).toSorted((a, b) => a - b)
      const rest = own.length > seeds.length ? ', and every other seed would' : ''
      return `${variant}, ${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}${rest}`
    })
    .join('; ')
}

/** `3 of 12 runs failed, 2 not tried`; null where none did. */
export function failedText(runs: readonly Pick<Ended, 'status' | 'skipped'>[]): string | null {
  const failed = runs.filter(({ status }) => status === 'failed')
  const skipped = failed.filter((run) => run.skipped).length
  if (failed.length === 0) return null
  const all = runs.length === 1 ? '1 run' : `${runs.length} runs`
  return `${failed.length - skipped} of ${all} failed${skipped > 0 ? `, ${skipped} not tried` : ''}`
}

/** Whether all runs of some variant failed: the study does not say what it was to say. */
export function lostVariant(runs: readonly Pick<Ended, 'variant' | 'status'>[]): boolean {
  const byVariant = [...Map.groupBy(runs, ({ variant }) => variant).values()]
  return byVariant.some((own) => own.every(({ status }) => status === 'failed'))
}
