import { type CostSizes, formulas } from '../cost/formulas.ts'
import { against } from './against.ts'
import { type Chart, noteOf } from './figure/chart.ts'
import type { FigureStyle } from './figure/figure.ts'

/** How long a training step of a model took, measured. */
export interface StepTimeRow {
  /** What the model is called. */
  model: string
  /** Tokens, width and depth of its blocks. */
  sizes: CostSizes
  /** Milliseconds of a step: forward, backward and update. */
  ms: number
  /** Examples of a step. */
  batch: number
  backend: string
  /** The run that was timed; null for a model that was made to be timed. */
  run: number | null
  seed: number
}

export interface StepTimesOptions {
  /** The sizes around which the cost is drawn. */
  at: CostSizes
  /** What changes along the x axis. */
  axis: keyof CostSizes
}

/**
 * Measured milliseconds of training steps against tokens, width or depth. Rows that differ from `at` in another size are
 * left out, which the note says; models of another batch or on another backend are families of their own. The blocks of the
 * formulas have the looks that they have among the curves of these.
 */
export function stepTimes(rows: readonly StepTimeRow[], { at, axis }: StepTimesOptions, style: FigureStyle): Chart {
  const others = (['tokens', 'width', 'depth'] as const).filter((size) => size !== axis)
  const alike = rows.filter(({ sizes }) => others.every((size) => sizes[size] === at[size]))
  const ways = [...new Set(alike.map(wayOf))]
  const familyOf = (row: StepTimeRow) => {
    const family = `${row.model}, ${row.run === null ? TIMED : 'stored runs'}`
    return ways.length > 1 ? `${family}: ${wayOf(row)}` : family
  }
  const dots = alike.map((row) => {
    const { sizes, ms, run, seed } = row
    return {
      family: familyOf(row),
      point: `${familyOf(row)}, ${axis} ${sizes[axis]}`,
      seed,
      run,
      x: sizes[axis],
      value: ms,
    }
  })
  const title = `Measured time of a training step by ${axis}`
  const meaning = { better: 'lower', unit: 'ms', words: 'time of a training step' } as const
  const options = { metric: 'training step', meaning, title, xLabel: axis, logX: true, logY: true }
  const families = formulas.map(({ name }) => {
    const timed = alike.find(({ model, run }) => model === name && run === null)
    return timed ? familyOf(timed) : name
  })
  const chart = against(dots, { ...options, families }, style)
  const left = rows.length - alike.length
  const what = left === 1 ? '1 time' : `${left} times`
  const notes = [
    ...(ways.length === 1 ? [`Each step of ${ways[0]}.`] : []),
    ...(chart.note ? [chart.note] : []),
    ...(left > 0 ? [`${what} at another ${others.join(' or ')} left out.`] : []),
  ]
  return { ...chart, ...noteOf(notes) }
}

const TIMED = 'timed here'

/** How a step was made. */
const wayOf = ({ batch, backend }: StepTimeRow) => `batch ${batch} on ${backend}`
