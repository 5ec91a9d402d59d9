import type { FactorValues, VariantDesign } from '../../../../engine/records/design.ts'
import type { AskedQuestion } from '../../../../engine/records/question.ts'
import { type Answer, answers } from '../../../../engine/study/questions/answers.ts'
import { run } from '../statistics/runs.ts'

const METRIC = 'test/accuracy'

/** Levels of factors by name. */
export type Levels = Record<string, FactorValues[string][]>

/** Variants of all combinations of levels. */
export function crossed(levels: Levels): VariantDesign[] {
  const all = Object.entries(levels).reduce<FactorValues[]>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  )
  return all.map((settings) => ({
    variant: Object.entries(settings)
      .map(([name, level]) => `${name}=${level}`)
      .join(' '),
    settings,
    crossed: true as const,
    intended: [],
  }))
}

/** What a run of a seed, counted from 0, comes to. */
export type ValueOf = (levels: FactorValues, seed: number) => number

export interface Asking {
  levels: Levels
  value: ValueOf
  seeds?: number
  metric?: string
  correction?: 'holm'
  margin?: number
  learned?: number
}

/** What runs of all combinations of levels, by default of eight seeds, answer to questions. */
export function answered(questions: AskedQuestion[], asking: Asking): Answer[] {
  const { levels, value, seeds = 8, metric = METRIC, ...planned } = asking
  const variants = crossed(levels)
  const names = variants.map(({ variant }) => variant)
  const runs = variants.flatMap(({ variant, settings }) =>
    Array.from({ length: seeds }, (_, seed) => run(variant, seed + 1, value(settings, seed), { metric })),
  )
  const design = { study: 'study', variants, metric, questions, ...planned }
  return answers({ metric, design, runs, variants: names, baseline: names[0] ?? '' })
}

/** Noise of eight seeds that is smaller than 0.01, other for each `place`. */
export function noise(seed: number, place = 0): number {
  return [0, 0.004, -0.003, 0.002, -0.001, 0.003, -0.002, 0.001][(seed + 3 * place) % 8] ?? 0
}
