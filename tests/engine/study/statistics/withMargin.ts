import { verdicts } from '../../../../engine/study/statistics/index.ts'
import type { ComparedRun } from '../../../../engine/study/statistics/judgement.ts'
import { run, runsOf } from './runs.ts'

export const BASE = [0.8, 0.81, 0.79, 0.82, 0.8, 0.805, 0.795, 0.8]
/** Gains that are nothing beside a margin of 1 point. */
export const SMALL = [0.001, -0.002, 0.003, 0.001, -0.001, 0.002, -0.003, 0.001]

interface Case {
  metric?: string
  margin?: number | undefined
  base?: ComparedRun[]
}

/** The verdict on `gated`, whose runs these are or have these gains, of a study with a margin of 1 point. */
export function verdictOf(gains: readonly number[] | ComparedRun[], { metric = 'test/accuracy', ...more }: Case = {}) {
  const margin = 'margin' in more ? more.margin : 0.01
  const own = gains.map((gain, i) =>
    typeof gain === 'number' ? run('gated', i + 1, (BASE[i] as number) + gain, { metric }) : gain,
  )
  const base = more.base ?? runsOf('plain', BASE.slice(0, gains.length), { metric })
  const names = ['plain', 'gated']
  const design = { metric, margin, variants: names.map((variant) => ({ variant, settings: {}, intended: [] })) }
  const [verdict] = verdicts({ metric, runs: [...base, ...own], variants: names, baseline: 'plain', design })
  if (!verdict) throw new Error('no verdict')
  return verdict
}

/** Its sentence. */
export const said = (...given: Parameters<typeof verdictOf>) => verdictOf(...given).sentence
