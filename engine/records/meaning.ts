import { z } from 'zod'
import { parseOptions } from '../options.ts'

/** What the values of a metric mean. Plain data: it goes with each point, and the store keeps it by run and metric. */
export interface MetricMeaning {
  /** Which way is better; left out where neither is. */
  better?: 'higher' | 'lower' | undefined
  /** A `share` is shown in percent; others are named: `nats`, `ms`, ... */
  unit?: string | undefined
  /** The smallest and the largest value that there can be; null for no end. */
  bounds?: [low: number | null, high: number | null] | undefined
  /** What it is called in a sentence, e.g. `macro recall`. */
  words?: string | undefined
  /** Whether its study compares variants by it. */
  compared?: boolean | undefined
  /** Of a read-out: the digest of what it computes. */
  readout?: string | undefined
  /** A read-out of test examples that was thought of when the run was over: chosen after looking. */
  exploratory?: boolean | undefined
}

const bound = z.number().nullable()

/** What a meaning may hold. */
export const meaningShape = {
  better: z.enum(['higher', 'lower']).optional(),
  unit: z.string().min(1).max(20).optional(),
  bounds: z.tuple([bound, bound]).optional(),
  words: z.string().min(1).max(60).optional(),
}

const schema = z.strictObject({
  ...meaningShape,
  compared: z.boolean().optional(),
  readout: z.string().optional(),
  exploratory: z.boolean().optional(),
})

/** Checks a meaning that comes from elsewhere. Throws MixlabError `option`. */
export function parseMeaning(value: unknown, path: string): MetricMeaning {
  return parseOptions<MetricMeaning>(schema, value, path)
}

/** Whether one value is better than another; false where no way is. */
export function isBetter(value: number, than: number, { better }: MetricMeaning): boolean {
  return better === 'higher' ? value > than : better === 'lower' && value < than
}

/** Whether values are shown in percent, and their differences in points. */
export function isShare(meaning: Pick<MetricMeaning, 'unit'> | undefined): boolean {
  return meaning?.unit === 'share'
}

/** A value of a metric as text: `93.00 %` of a share, else five digits. */
export function metricText(value: number, meaning: Pick<MetricMeaning, 'unit'>): string {
  if (Number.isNaN(value)) return 'not a number'
  return isShare(meaning) ? `${(100 * value).toFixed(2)} %` : value.toPrecision(5)
}

/** What is said of a value that was chosen after looking. */
const EXPLORATORY = 'exploratory: reads the test, and was added when runs were over'

/** A meaning in words: `macro recall; higher is better; from 0 to 1`. */
export function meaningText(meaning: MetricMeaning): string {
  const { words, unit, better, bounds: [low, high] = [null, null], exploratory } = meaning
  const ends = [...(low === null ? [] : [`from ${low}`]), ...(high === null ? [] : [`to ${high}`])].join(' ')
  const named = unit && unit !== words && unit !== 'share' ? `in ${unit}` : ''
  const way = better ? `${better} is better` : 'neither way is better'
  return [words, named, way, ends, exploratory ? EXPLORATORY : ''].filter(Boolean).join('; ')
}

/** What several meanings of one metric have in common; values of several runs are shown together by it. */
export function commonMeaning(meanings: readonly MetricMeaning[]): MetricMeaning {
  const [first, ...rest] = meanings
  const same = (name: keyof MetricMeaning) =>
    rest.every((each) => JSON.stringify(each[name]) === JSON.stringify(first?.[name]))
  const names = ['better', 'unit', 'bounds', 'words', 'readout'] as const
  const shared = Object.fromEntries(names.flatMap((name) => (first?.[name] && same(name) ? [[name, first[name]]] : [])))
  const marks = (['compared', 'exploratory'] as const).filter((name) => meanings.some((each) => each[name]))
  return { ...shared, ...Object.fromEntries(marks.map((name) => [name, true])) }
}

/** What a metric means in all of some runs that have it. */
export function meaningIn(
  runs: readonly { metrics: Record<string, { meaning?: MetricMeaning | undefined }> }[],
  metric: string,
): MetricMeaning {
  return commonMeaning(runs.flatMap(({ metrics }) => (metrics[metric] ? [metrics[metric].meaning ?? {}] : [])))
}
