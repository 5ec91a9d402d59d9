import type { RunStatus } from '../records/run.ts'

/** What of a run says whether it failed. */
interface Ended {
  variant: string
  seed: number
  status: RunStatus | 'waiting'
  error: string | null
}

/** The runs that failed for one reason. */
export interface Failure {
  reason: string
  /** `gmlp, seeds 1, 2; mixer, seed 1`. */
  runs: string
}

/** Why runs failed, the reason of the most first. */
export function failuresOf(runs: readonly Ended[]): Failure[] {
  const failed = runs.filter(({ status }) => status === 'failed')
  const reasons = [...Map.groupBy(failed, ({ error }) => error ?? 'unknown')]
  return reasons
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, alike]) => ({ reason, runs: namesOf(alike) }))
}

/** Runs by their names: `gmlp, seeds 1, 2; mixer, seed 1`. */
function namesOf(runs: readonly Ended[]): string {
  const byVariant = [...Map.groupBy(runs, ({ variant }) => variant)]
  return byVariant
    .map(([variant, own]) => {
      const seeds = own.map(({ seed }) => seed).toSorted((a, b) => a - b)
      return `${variant}, ${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}`
    })
    .join('; ')
}

/** `3 of 12 runs failed`; null where none did. */
export function failedText(runs: readonly Pick<Ended, 'status'>[]): string | null {
  const failed = runs.filter(({ status }) => status === 'failed').length
  return failed > 0 ? `${failed} of ${runs.length === 1 ? '1 run' : `${runs.length} runs`} failed` : null
}

/** Whether all runs of some variant failed: the study does not say what it was to say. */
export function lostVariant(runs: readonly Pick<Ended, 'variant' | 'status'>[]): boolean {
  const byVariant = [...Map.groupBy(runs, ({ variant }) => variant).values()]
  return byVariant.some((own) => own.every(({ status }) => status === 'failed'))
}
