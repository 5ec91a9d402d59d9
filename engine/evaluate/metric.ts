import { z } from 'zod'
import { type Definition, noteDefinition } from '../definitions.ts'
import { MixlabError } from '../errors.ts'
import { parseOptions } from '../options.ts'
import { type MetricMeaning, meaningShape } from '../records/meaning.ts'
import type { Evaluator } from './types.ts'

/** What a user says of the values of a metric. */
export interface MetricOptions {
  better: 'higher' | 'lower'
  /** `share` for values from 0 to 1 that are shown in percent; else a name such as `nats`. */
  unit?: string | undefined
  /** The smallest and the largest value that there can be, e.g. `[0, Infinity]`; charts do not go beyond. */
  bounds?: [low: number, high: number] | undefined
  /** What it is called in a sentence; its name without underscores, if left out. */
  words?: string | undefined
}

/** Collects a metric over one evaluation. Of a batch, `prediction` has the output of the model, row by row. */
export type MetricCollector = Pick<Evaluator, 'add' | 'value'>

/** A metric defined in a cell, for `metrics:` of a study. */
export interface Metric extends Definition {
  readonly kind: 'metric'
  readonly meaning: MetricMeaning
  /** Fresh counters for one evaluation. */
  readonly collect: () => MetricCollector
}

const isEnd = (value: unknown) => typeof value === 'number' && !Number.isNaN(value)
const end = z.custom<number>(isEnd, 'a number, Infinity or -Infinity')
const schema = z.strictObject({
  ...meaningShape,
  better: z.enum(['higher', 'lower']),
  bounds: z
    .tuple([end, end])
    .refine(([low, high]) => low < high, 'the smaller one first')
    .optional(),
})

/**
 * Defines a metric: what its values mean, and how they are collected over an evaluation. A study that has it under
 * `metrics:` measures it on each split that is evaluated, as `validation/<name>` and `test/<name>`. Throws MixlabError `option`.
 */
export function metric(name: string, meaning: MetricOptions, collect: () => MetricCollector): Metric {
  if (typeof name !== 'string' || !/^[a-z][\w-]*$/i.test(name)) {
    const allowed = "expected letters, digits, _ and -, e.g. 'macro_recall'; the name of the split comes before it"
    throw new MixlabError('option', 'metric', `${typeof name === 'string' ? `'${name}'` : typeof name}, ${allowed}`)
  }
  const { bounds, ...rest } = parseOptions<MetricOptions>(schema, meaning, `metric '${name}'`)
  if (typeof collect !== 'function') {
    throw new MixlabError('option', `metric '${name}'`, 'expected a function () => ({ add, value }) as third argument')
  }
  const ends = bounds?.map((each) => (Number.isFinite(each) ? each : null)) as MetricMeaning['bounds']
  const words = rest.words ?? name.replaceAll('_', ' ')
  const given: MetricMeaning = { ...rest, words, ...(ends && { bounds: ends }) }
  const defined: Metric = { kind: 'metric', name, meaning: given, collect, decides: collect }
  noteDefinition(defined)
  return defined
}

export function isMetric(value: unknown): value is Metric {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'metric'
}
