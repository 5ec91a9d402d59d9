import type { Pace } from '../../../engine/study/time/pace.ts'
import type { RunView, StudyView } from '../../../renderer/protocol/study.ts'
import { ACCURACY } from '../../meanings.ts'

/** A run that is complete with some accuracy, unless `change` says otherwise. */
export function runView(
  id: number,
  variant: string,
  seed: number,
  value: number,
  change: Partial<RunView> = {},
): RunView {
  const summary = {
    last: value,
    lastStep: 20,
    best: value + 0.01,
    bestStep: 10,
    min: 0,
    max: 1,
    count: 2,
    meaning: ACCURACY,
  }
  return {
    ...{ id, key: `k${id}`, variant, seed, status: 'done', cached: false, backend: 'cpu' },
    ...{ step: 20, steps: 20, ms: 1000, error: null, hasWeights: true, metrics: { 'test/accuracy': summary } },
    ...change,
  }
}

/** A study with complete runs: of each variant the accuracies of seed 1, 2, ... */
export function studyView(values: Record<string, number[]>): StudyView {
  const variants = Object.keys(values)
  const runs = variants.flatMap((variant, v) =>
    (values[variant] ?? []).map((value, i) => runView(v * 100 + i + 1, variant, i + 1, value)),
  )
  return { study: 'tiny', metric: 'test/accuracy', variants, blocks: {}, runs }
}

/** The pace of a run whose steps take so many ms. */
export const paceOf = (ms: number): Pace => ({
  ...{ steps: 6, recent: [ms], computed: [ms], pauses: { first: 0, firstAt: 0, later: 0, lastAt: 0 } },
  ...{ began: 0, at: 0, head: 0, tail: 0 },
})
