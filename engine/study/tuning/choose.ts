import { isBetter, meaningIn } from '../../records/meaning.ts'
import type { StoredRun } from '../../records/run.ts'
import type { TunedDesign, TunedVariant } from '../../records/tuned.ts'
import { meanOf } from '../summary.ts'
import { tunedName, tuningName } from './names.ts'
import type { Tune } from './tune.ts'

/** What the runs of tuning are, and which of them are done. */
export interface TuningRuns {
  study: string
  variants: readonly string[]
  metric: string
  runs: readonly { variant: string; seed: number; key: string }[]
  done: readonly StoredRun[]
}

/**
 * The value of each variant that is best on validation, in the mean over the seeds; of equal ones the first. A run counts
 * with the weights that validation chose; where one of a value diverged or failed, that value is worse than all others.
 */
export function choose({ study, variants, metric, runs, done }: TuningRuns, tune: Tune): TunedDesign {
  const known = new Map(done.map((run) => [run.key, run.metrics[metric]]))
  const meaning = meaningIn([...done], metric)
  const meanOfValue = (variant: string): number | null => {
    const all = runs
      .filter((run) => run.variant === variant)
      .map(({ key }) => {
        const found = known.get(key)
        return found && Number.isFinite(found.last) ? found.best : Number.NaN
      })
    const mean = meanOf(all)
    return Number.isFinite(mean) ? mean : null
  }
  const chosenFor = (variant: string): TunedVariant => {
    const means = tune.tried.map((value) => meanOfValue(tunedName(variant, value)))
    const chosen = means.reduce<number>((best, mean, place) => {
      const before = means[best] ?? null
      if (mean === null) return best
      return before === null || isBetter(mean, before, meaning) ? place : best
    }, 0)
    return { variant, chosen, means }
  }
  return {
    study: tuningName(study),
    metric,
    seeds: [...new Set(runs.map(({ seed }) => seed))],
    values: tune.tried.map(({ values }) => values),
    variants: variants.map(chosenFor),
    runs: new Set(runs.map(({ key }) => key)).size,
  }
}
