import { useMemo } from 'react'
import { meaningIn } from '../../engine/records/meaning.ts'
import { type Verdict, verdicts } from '../../engine/study/statistics/index.ts'
import type { StudyView } from '../protocol/study.ts'
import { useNotebook } from '../session/state.ts'
import { useBaseline } from './baselines.ts'
import { useValuesAt } from './table/useValuesAt.ts'
import { type Chosen, comparedRuns, comparedSeeds, type DoneRun, doneRuns, type ValueChoice } from './table/values.ts'
import { useSame } from './useSame.ts'

/** What a study has shown so far. */
export interface Comparison {
  chosen: Chosen
  /** The complete runs. */
  runs: readonly DoneRun[]
  baseline: string
  /** One for each variant beside the baseline. */
  verdicts: Verdict[]
  /** Whether runs are missing that will be trained: what the verdicts say is not the last word. */
  soFar: boolean
}

/** Compares the variants of a study, again only when another run is complete. */
export function useComparison(study: StudyView, metric: string, choice: ValueChoice, running: boolean): Comparison {
  const { variants, design } = study
  const baseline = useBaseline(study)
  const notebook = useNotebook((state) => state.name)
  const runs = useSame(doneRuns(study))
  const seeds = useSame(comparedSeeds(study, running))
  const atStep = useValuesAt(runs, metric, choice)
  const soFar = running && runs.length < study.runs.length
  return useMemo(() => {
    const chosen = { metric, meaning: meaningIn(runs, metric), choice, atStep }
    const given = comparedRuns(runs, chosen).filter(({ seed }) => seeds.includes(seed))
    return {
      chosen,
      runs,
      baseline,
      soFar,
      verdicts: verdicts({ metric, runs: given, variants, design, baseline, seeds, notebook }),
    }
  }, [metric, choice, atStep, runs, seeds, variants, design, baseline, soFar, notebook])
}
