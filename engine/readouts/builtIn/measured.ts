import { MixlabError, suggest } from '../../errors.ts'
import { exact, f1, isMetric, type Metric, perplexity, topK } from '../../evaluate/index.ts'
import type { MetricMeaning } from '../../records/meaning.ts'
import { LOSS } from '../../train/meanings.ts'
import type { ReadoutOptions } from '../readout.ts'

/** Examples of a split that are read, unless the user says how many. */
export const EXAMPLES = 1000

/** What a built-in read-out measures: a metric of the task by its name, or one of a cell. */
export type Measurable = string | Metric

const answers = { add() {}, answers: () => [] }
const evaluators = [topK('accuracy', 1), topK('top5', 5), perplexity(), f1(answers), exact(answers)]
const MEANINGS: Record<string, MetricMeaning> = {
  loss: LOSS,
  ...Object.fromEntries(evaluators.map(({ name, meaning }) => [name, meaning])),
}

/** The name of what is measured, and what its values mean. Throws MixlabError `option`. */
export function measurable(of: unknown, path: string): { name: string; meaning: ReadoutOptions } {
  const meaning = isMetric(of) ? of.meaning : typeof of === 'string' ? MEANINGS[of] : undefined
  if (!meaning) {
    const known = Object.keys(MEANINGS)
    const hint = typeof of === 'string' ? suggest(of, known) : ''
    throw new MixlabError(
      'option',
      path,
      `${JSON.stringify(of)}, expected a metric, made by metric(), or its name${hint}`,
    )
  }
  const { better, unit, bounds, words } = meaning
  const ends = bounds?.map((end, i) => end ?? (i === 0 ? -Infinity : Infinity)) as [number, number] | undefined
  return { name: isMetric(of) ? of.name : String(of), meaning: { better, unit, words, ...(ends && { bounds: ends }) } }
}

/** A metric among those that were measured. Throws MixlabError `option` where the task does not have it. */
export function valueIn(metrics: Record<string, number>, name: string): number {
  const value = metrics[name]
  if (value !== undefined) return value
  throw new MixlabError('option', name, `the task does not measure it${suggest(name, Object.keys(metrics))}`)
}

/** Throws MixlabError `option` for what is no number of examples. */
export function checkExamples(examples: unknown, path: string): void {
  if (Number.isInteger(examples) && Number(examples) > 0) return
  throw new MixlabError('option', `${path}.examples`, `${examples}, expected a whole number of at least 1`)
}
