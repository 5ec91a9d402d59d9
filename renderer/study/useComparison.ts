import { useEffect, useMemo, useState } from 'react'
import { seedStrips } from '../../engine/charts/seedStrip.ts'
import { meaningIn } from '../../engine/records/meaning.ts'
import { type Answer, answers } from '../../engine/study/questions/answers.ts'
import { type ArmRow, armRows, type Verdict, verdicts } from '../../engine/study/statistics/index.ts'
import { host } from '../host/state.ts'
import { neededRuns, type StudyView } from '../protocol/study.ts'
import { useNotebook } from '../session/state.ts'
import { useBaseline } from './baselines.ts'
import {
  type Chosen,
  comparedRuns,
  comparedSeeds,
  type DoneRun,
  divergedRuns,
  doneRuns,
  type ValueChoice,
} from './table/values.ts'

/** What a study has shown so far. */
export interface Comparison {
  chosen: Chosen
  /** The complete runs. */
  runs: readonly DoneRun[]
  baseline: string
  /** One for each variant beside the baseline; none for a study that asks something else. */
  verdicts: Verdict[]
  /** What the study asks beside that, and what came out. */
  answers: Answer[]
  /** The epochs and the highest floor of each variant, as the table shows them; empty until floors are known. */
  floors: ArmRow[]
  /** Each variant's values by seed, as SVG text. */
  strips: ReadonlyMap<string, string>
  /** Whether runs are missing that will be trained: what the verdicts say is not the last word. */
  soFar: boolean
}

/** Compares the variants of a study, again only when another run is complete. */
export function useComparison(study: StudyView, metric: string, choice: ValueChoice, running: boolean): Comparison {
  const { variants, design, arms } = study
  const baseline = useBaseline(study)
  const notebook = useNotebook((state) => state.name)
  const runs = useStableList(doneRuns(study))
  const diverged = useStableList(divergedRuns(study))
  const seeds = useStableList(comparedSeeds(study, running))
  const atStep = useValuesAt(runs, metric, choice)
  const soFar = running && runs.length < neededRuns(study).length
  return useMemo(() => {
    const chosen = { metric, meaning: meaningIn(runs, metric), choice, atStep }
    const given = comparedRuns([...runs, ...diverged], chosen).filter(({ seed }) => seeds.includes(seed))
    const input = { metric, runs: given, variants, design, arms, baseline, seeds, notebook }
    return {
      chosen,
      runs,
      baseline,
      soFar,
      verdicts: verdicts(input),
      answers: answers(input),
      floors: armRows(input, variants, chosen.meaning),
      strips: seedStrips(input),
    }
  }, [metric, choice, atStep, runs, diverged, seeds, variants, design, arms, baseline, soFar, notebook])
}

const NONE: ReadonlyMap<number, number> = new Map()

/** The values of a metric at a step, by run id; none for another choice, and before the store has answered. */
function useValuesAt(runs: readonly DoneRun[], metric: string, choice: ValueChoice): ReadonlyMap<number, number> {
  const [found, setFound] = useState<{ wanted: string; values: ReadonlyMap<number, number> }>()
  const step = typeof choice === 'number' ? choice : null
  const ids = runs.map(({ id }) => id).join(',')
  const wanted = `${step} ${metric} ${ids}`
  useEffect(() => {
    if (step === null || !ids) return
    let current = true
    const keep = (values: ReadonlyMap<number, number>) => current && setFound({ wanted, values })
    host()
      .readSeries(ids.split(',').map(Number), metric, 1, [step, step])
      .then(
        (series) => keep(new Map(series.flatMap(({ run, ...line }) => valueAtOrBefore(run, line, step)))),
        () => keep(NONE),
      )
    return () => {
      current = false
    }
  }, [step, metric, ids, wanted])
  return found?.wanted === wanted ? found.values : NONE
}

/** What was logged last up to a step. */
function valueAtOrBefore(run: number, { steps, values }: { steps: number[]; values: number[] }, step: number) {
  const value = values[steps.findLastIndex((each) => each <= step)]
  return value === undefined ? [] : [[run, value] as const]
}

/** The same list as before as long as its items are the same. */
function useStableList<T>(items: readonly T[]): readonly T[] {
  const [kept, keep] = useState(items)
  if (kept.length === items.length && kept.every((item, i) => item === items[i])) return kept
  keep(items)
  return items
}
