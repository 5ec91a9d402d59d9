import type { MetricMeaning } from '../../../engine/records/meaning.ts'
import type { Spread } from '../../../engine/runs/types.ts'
import { type ComparedRun, hasDiverged } from '../../../engine/study/statistics/index.ts'
import { spread } from '../../../engine/study/summary.ts'
import type { RunView, StudyView } from '../../protocol/study.ts'

/** Which value of a metric a run counts with: its last, its best, or that at a step. */
export type ValueChoice = 'last' | 'best' | number

/** What is compared. `atStep` has the values at the chosen step, by run id. */
export interface Chosen {
  metric: string
  meaning: MetricMeaning
  choice: ValueChoice
  atStep: ReadonlyMap<number, number>
}

/** A run that is complete, and thus has an id. */
export type DoneRun = RunView & { id: number; status: 'done' }

export function doneRuns({ runs }: StudyView): DoneRun[] {
  return runs.filter((run): run is DoneRun => run.status === 'done' && run.id !== null)
}

/** A run that has ended by itself: in a model, or in a loss that is not finite. */
export type EndedRun = RunView & { id: number; status: 'done' | 'failed' }

/** The runs that diverged: outcomes, where the study has them count. */
export function divergedRuns({ runs }: StudyView): EndedRun[] {
  return runs.filter((run): run is EndedRun => run.status === 'failed' && run.id !== null && hasDiverged(run))
}

/** The value of a run that counts; undefined where it has none. */
export function chosenValue(run: RunView, { metric, choice, atStep }: Chosen): number | undefined {
  return typeof choice === 'number' ? atStep.get(run.id ?? 0) : run.metrics[metric]?.[choice]
}

/** Mean and deviation of the complete runs of a variant; null without any. */
export function spreadOf(runs: readonly DoneRun[], variant: string, chosen: Chosen): Spread | null {
  const values = runs.filter((run) => run.variant === variant).flatMap((run) => chosenValue(run, chosen) ?? [])
  const { mean, sd } = spread(values)
  return mean === null ? null : { mean, sd, n: values.length }
}

/**
 * Runs that have ended as the statistics read them. They are all of one plan, and so of the same data and recipe; only backends
 * can differ.
 */
export function comparedRuns(runs: readonly EndedRun[], chosen: Chosen): ComparedRun[] {
  return runs.map((run) => {
    const { id, variant, seed, status, error, backend, notebook } = run
    const value = chosenValue(run, chosen)
    const { [chosen.metric]: _, ...others } = run.metrics // of which a question may choose, e.g. by validation
    return {
      id,
      variant,
      seed,
      status,
      error,
      backend,
      notebook,
      metrics: {
        ...others,
        ...(value !== undefined && { [chosen.metric]: { last: value, best: value, meaning: chosen.meaning } }),
      },
    }
  })
}

/** How many seeds a study has. */
export function seedCount({ runs }: StudyView): number {
  return new Set(runs.map(({ seed }) => seed)).size
}

/** The seeds that can be compared now: all, or, while some are still to be trained, the ones that have ended. */
export function comparedSeeds({ runs }: StudyView, running: boolean): number[] {
  const open = runs.filter(({ status }) => running && (status === 'waiting' || status === 'running'))
  return [...new Set(runs.map(({ seed }) => seed))].filter((seed) => open.every((run) => run.seed !== seed))
}
