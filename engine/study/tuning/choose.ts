import { isBetter, meaningIn } from '../../records/meaning.ts'
import type { StoredRun } from '../../records/run.ts'
import type { TunedDesign, TunedVariant } from '../../records/tuned.ts'
import { meanOf } from '../summary.ts'
import { keptPlaces } from './kept.ts'
import { tunedName, tuningName } from './names.ts'
import type { TriedValue, Tune } from './tune.ts'

/** What the runs of tuning are, and which of them are done. */
export interface TuningRuns {
  study: string
  variants: readonly string[]
  metric: string
  runs: readonly { variant: string; seed: number; key: string }[]
  done: readonly StoredRun[]
}

/**
 * The values of each variant with which it is trained: all that the runs cannot tell from the best on validation, or, where
 * `several` is false, the best alone, in the mean over the seeds; of equal ones the first. A run counts with the weights that
 * validation chose; a value of which one diverged or failed is worse than all others.
 */
export function choose({ study, variants, metric, runs, done }: TuningRuns, tune: Tune, several = true): TunedDesign {
  const known = new Map(done.map((run) => [run.key, run.metrics[metric]]))
  const meaning = meaningIn([...done], metric)
  const sign = isBetter(1, 0, meaning) ? 1 : -1
  const values = variants.map((variant) =>
    tune.tried.map((value) =>
      runs
        .filter((run) => run.variant === tunedName(variant, value))
        .map(({ key }) => {
          const found = known.get(key)
          return found && Number.isFinite(found.last) ? sign * found.best : Number.NaN
        }),
    ),
  )
  const places = keptPlaces(values)
  const chosenFor = (variant: string, own: number): TunedVariant => {
    const means = (values[own] as number[][]).map(meanOf)
    const best = means.indexOf(Math.max(...means.filter(Number.isFinite)))
    const kept = several ? (places[own] as number[]) : []
    const named = kept.map((value) => ({ value, variant: tunedName(variant, tune.tried[value] as TriedValue) }))
    return {
      variant,
      chosen: Math.max(0, best),
      ...(named.length > 1 && { kept: named }),
      means: means.map((mean) => (Number.isFinite(mean) ? sign * mean : null)),
    }
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
