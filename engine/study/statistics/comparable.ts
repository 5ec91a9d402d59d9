import { READOUT, splitOf } from '../../records/splits.ts'
import { sourceNotebookText } from '../sourceNotebook.ts'
import type { ComparedRun } from './judgement.ts'

/** What the specs of a pair must have in common, beside the seed. */
const SHARED = ['numerics', 'train', 'from', 'metric'] as const
/** Names of what a run starts from that differ from variant to variant. */
const OWN = new Set(['from.key', 'from.variant'])
/** What has other values by itself where an option has. */
const FOLLOWS: Record<string, string[]> = {
  'train.steps': ['train.warmup', 'train.evalEvery'],
  'train.schedule': ['train.warmup', 'definitions.schedule'],
  'train.optimizer': ['definitions.optimizer'],
  'train.augment': ['definitions.augmentation'],
  task: ['definitions.task', 'definitions.data'],
}
/** Longer texts, such as hashes, are cut. */
const LONG = 24
const CUT = 12

/**
 * In what the specs of two runs differ that only a fair comparison shares: numerics, data, task, recipe, the study whose
 * weights they start from, the metric that chose the tested weights, where it is not that of the task, and the code of the
 * compared one, where a cell has it; the model may differ. Each in words, with the value of the first before that of the
 * second: `train.batch 64 and 128`. What is intended, by path, may differ, and what follows from it.
 */
export function differencesOf(
  a: unknown,
  b: unknown,
  metric = '',
  intended: ReadonlySet<string> = new Set(),
): string[] {
  const expected = new Set([...intended, ...[...intended].flatMap((path) => FOLLOWS[path] ?? [])])
  const task = differing(partOf(a, 'task'), partOf(b, 'task'), 'task')
  const data = differing(partOf(a, 'data'), partOf(b, 'data'), 'data')
  // The hash of the data also covers the options of the task, and not the folder where the data lie.
  const sameData = data.length === 0
  const own = metric.slice(metric.indexOf('/') + 1)
  const list = splitOf(metric) === READOUT ? 'readouts' : 'metrics'
  const metrics = [a, b].map((spec) => partOf(partOf(spec, list), own))
  // a run of an earlier version names the cell of the metric alone
  const codeOf = (metric: unknown) => partOf(metric, metrics.every(isObject) ? 'digest' : 'code') ?? metric
  return [
    ...task.filter(({ path }) => !sameData || path === 'task.task'),
    ...(task.length > 0 ? [] : data),
    ...differing(...(metrics.map(codeOf) as [unknown, unknown]), `${list}.${own}`),
    ...differing(definitionsIn(a), definitionsIn(b), 'definitions'),
    ...SHARED.flatMap((name) => differing(partOf(a, name), partOf(b, name), name)),
  ]
    .filter(({ path }) => !OWN.has(path) && !isIntended(path, expected))
    .map(({ path, values }) => `${path.replaceAll('.options', '')} ${values.map(shown).join(' and ')}`)
}

/** What cells define of a run beside block and metrics, by what it does. */
function definitionsIn(spec: unknown): unknown {
  const definitions = partOf(spec, 'definitions')
  if (!isObject(definitions)) return {}
  return Object.fromEntries(Object.entries(definitions).map(([kind, code]) => [kind, partOf(code, 'digest') ?? code]))
}

/** Whether a path of a spec is among the intended ones, or below one of them. */
function isIntended(path: string, intended: ReadonlySet<string>): boolean {
  const names = path.split('.')
  return names.some((_, count) => intended.has(names.slice(0, count + 1).join('.')))
}

interface Difference {
  path: string
  values: [unknown, unknown]
}

function differing(a: unknown, b: unknown, path: string): Difference[] {
  if (isObject(a) && isObject(b)) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    return names.flatMap((name) => differing(a[name], b[name], `${path}.${name}`))
  }
  return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ path, values: [a, b] }]
}

function partOf(spec: unknown, name: string): unknown {
  return isObject(spec) ? spec[name] : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  if (value === undefined) return 'none'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONG ? `${text.slice(0, CUT)}…` : text
}

/** Whether runs can be compared, and what is to be known of them. */
export interface Soundness {
  /** Why they cannot, e.g. `train.batch 64 and 128`. */
  problems: string[]
  /** What else to know, e.g. `backend simd and webgpu`. */
  notes: string[]
}

/** What makes pairs of runs unsound, and what is to be known of them; each once. What is intended, by path, may differ. */
export function soundness(
  pairs: readonly (readonly [ComparedRun, ComparedRun])[],
  metric: string,
  intended: ReadonlySet<string>,
  notebook: string | null | undefined,
): Soundness {
  const problems = pairs.flatMap(([a, b]) => [
    ...(a.spec && b.spec ? differencesOf(a.spec, b.spec, metric, intended) : []),
    ...otherReadout(a, b, metric),
  ])
  const backends = pairs.flatMap(([a, b]) => (a.backend === b.backend ? [] : [`backend ${a.backend} and ${b.backend}`]))
  const runs = [...new Set(pairs.flat())]
  const taken = sourceNotebookText(runs, notebook)
  const notes = [...backends, ...runs.flatMap(surrogateText), ...(taken ? [taken] : [])]
  return { problems: [...new Set(problems)], notes: [...new Set(notes)] }
}

/** That the value of one run was read off by other code than that of the other. */
function otherReadout(a: ComparedRun, b: ComparedRun, metric: string): string[] {
  if (!a.metrics[metric] || !b.metrics[metric]) return [] // one diverged before it was measured
  const [own, other] = [a, b].map(({ metrics }) => metrics[metric]?.meaning?.readout)
  return own === other ? [] : [`the code of ${metric}`]
}

/** That a run was trained by a gradient that is meant to differ from the derivative. */
function surrogateText({ variant, spec }: ComparedRun): string[] {
  const { surrogates } = (spec as { model?: { surrogates?: string } } | undefined)?.model ?? {}
  return surrogates ? [`${variant} has a surrogate gradient (${surrogates})`] : []
}
