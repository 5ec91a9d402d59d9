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

/** The same, where it may be left out which way is better. */
export type SaidOfMetric = Omit<MetricOptions, 'better'> & Pick<MetricMeaning, 'better'>

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
/** What a cell may say of the values of a metric. */
export const saidShape = {
  ...meaningShape,
  bounds: z
    .tuple([end, end])
    .refine(([low, high]) => low < high, 'the smaller one first')
    .optional(),
}
const schema = z.strictObject({ ...saidShape, better: z.enum(['higher', 'lower']) })

/**
 * Defines a metric: what its values mean, and how they are collected over an evaluation. A study that has it under
 * `metrics:` measures it on each split that is evaluated, as `validation/<name>` and `test/<name>`. Throws MixlabError `option`.
 */
export function metric(name: string, meaning: MetricOptions, collect: () => MetricCollector): Metric {
  checkMetricName(name, 'metric', "'macro_recall'; the name of the split comes before it")
  const said = parseOptions<MetricOptions>(schema, meaning, `metric '${name}'`)
  if (typeof collect !== 'function') {
    throw new MixlabError('option', `metric '${name}'`, 'expected a function () => ({ add, value }) as third argument')
  }
  const defined: Metric = { kind: 'metric', name, meaning: meaningSaid(name, said), collect, decides: collect }
  noteDefinition(defined)
  return defined
}

/** Throws MixlabError `option` for what cannot be the name of a metric; `what` is defined, `example` a name. */
export function checkMetricName(name: unknown, what: string, example: string): void {
  if (typeof name === 'string' && /^[a-z][\w-]*$/i.test(name)) return
  const given = typeof name === 'string' ? `'${name}'` : typeof name
  throw new MixlabError('option', what, `${given}, expected letters, digits, _ and -, e.g. ${example}`)
}

/** What a cell says of a metric as it is kept, with the words for it. */
export function meaningSaid(name: string, { bounds, ...rest }: SaidOfMetric): MetricMeaning {
  const ends = bounds?.map((each) => (Number.isFinite(each) ? each : null)) as MetricMeaning['bounds']
  return { ...rest, words: rest.words ?? name.replaceAll('_', ' '), ...(ends && { bounds: ends }) }
}

export function isMetric(value: unknown): value is Metric {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'metric'
}
