import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Frame } from '../../app/queue/frames.ts'
import { type Job, ownVersions } from '../../app/queue/job.ts'
import type { Machine } from '../../app/queue/machines.ts'
import { nameOf } from '../../app/queue/objects.ts'
import type { Store } from '../../app/store/index.ts'
import type { StudyDesign } from '../../engine/records/design.ts'
import type { RecordedEvent } from '../../engine/records/events.ts'
import { histogramOf } from '../../engine/records/histogram.ts'
import type { MetricMeaning } from '../../engine/records/meaning.ts'
import type { RunStart } from '../../engine/records/run.ts'
import { type KeyedSpec, keyOfRun } from '../../engine/study/key.ts'
import { head } from '../app/queue/head.ts'

/** A folder that is removed by `close`, on a disk in memory where there is one. */
export function temporaryFolder(): { folder: string; close(): void } {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'mixlab-fuzz-')))
  return { folder, close: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A run with the key of its spec. */
export function runOf(study: string, variant: string, seed: number): RunStart {
  const spec = { task: { task: 'image' }, model: { block: variant, dim: 8 }, train: { steps: 4 }, seed }
  return {
    ...{ key: keyOfRun(spec as KeyedSpec), study, variant, seed, spec, code: 'const a = 1' },
    ...{ backend: 'simd', device: 'a processor', environment: head.environment },
    origin: { notebook: 'a.ts', cell: 'c', name: 'study', source: 'compare()', quick: false },
  }
}

const METRIC = 'test/accuracy'
const meaning: MetricMeaning = { better: 'higher', unit: 'share', bounds: [0, 1], compared: true }

/** What a run of four steps says, up to its end. */
export function eventsOf(seed: number): RecordedEvent[] {
  const bytes = (kind: number) => Uint8Array.of(kind, seed)
  const histogram = { w: histogramOf([1, 2, seed]) }
  return [
    { type: 'start', steps: 4, parameters: 7, macs: 5 },
    { type: 'step', step: 1, ms: 2 },
    { type: 'metric', step: 1, name: 'train/loss', value: 1 / seed },
    { type: 'points', step: 2, series: [{ name: 'train/loss', steps: [2, 3], values: [0.5, Number.NaN] }] },
    { type: 'histograms', step: 2, weights: histogram, gradients: histogram },
    { type: 'warning', step: 2, message: 'slow' },
    { type: 'metric', step: 4, name: METRIC, value: 0.5 + seed / 10, meaning },
    { type: 'checkpoint', step: 4, weights: bytes(1), best: bytes(2), bestStep: 2, state: bytes(3) },
    { type: 'done', step: 4 },
  ]
}

/** Trains a run in a store as far as its events go. */
export function train(store: Store, run: RunStart, events: RecordedEvent[]): void {
  const begun = store.beginRun(run)
  if (!begun) throw new Error(`run ${run.key} is trained elsewhere`)
  for (const [i, event] of events.entries()) store.record(begun.id, [event], { epoch: begun.epoch, batch: i + 1 })
}

/** A design that has all that a design can have. */
export function designOf(study: string): StudyDesign {
  const runs = ['a', 'b', 'c'].flatMap((variant) =>
    [1, 2, 3].map((seed) => ({ variant, seed, key: runOf(study, variant, seed).key })),
  )
  return {
    ...{ study, metric: METRIC, runs, correction: 'holm', together: [study, 'other'], margin: 0.1 },
    variants: ['a', 'b', 'c'].map((variant, i) => ({
      ...{ variant, settings: { lr: i, block: variant }, intended: ['train.batch'] },
      crossed: true,
    })),
    readouts: [{ metric: 'readout/norm', digest: 'ab'.repeat(32) }],
    questions: [{ ask: 'pairs' }, { ask: 'best' }, { ask: 'effect', factor: 'block' }],
    tuned: {
      ...{ study: 'before', metric: 'validation/accuracy', seeds: [1], values: [{ lr: 1 }, { lr: 2 }], runs: 2 },
      variants: [{ variant: 'a', chosen: 1, means: [0.5, null] }],
    },
  }
}

const object = nameOf(Uint8Array.of(1, 2, 3))

/** A job of a workspace for a run. */
export const jobOf = (workspace: string, { study, variant, seed, key, spec, code }: RunStart): Job => ({
  ...{ ...ownVersions, workspace, nonce: 'n', base: 0, run: { study, variant, seed, key, spec, code }, study },
  ...{ options: { quick: false, only: ['a'], seeds: [1, 2] }, backend: 'simd', notebook: object, files: object },
  before: [],
})

/** Frames of an attempt: its head, and events whose files are objects. */
export function framesOf(run: string): Frame[] {
  const packed = eventsOf(1).map((event) => {
    const files = Object.entries(event).flatMap(([name, value]) =>
      value instanceof Uint8Array ? [[name, nameOf(value)] as const] : [],
    )
    const rest = Object.fromEntries(Object.entries(event).filter(([, value]) => !(value instanceof Uint8Array)))
    return { event: rest as never, ...(files.length > 0 && { files: Object.fromEntries(files) }) }
  })
  const frame = { run, nonce: 'n', attempt: 1 }
  return [
    { ...frame, first: 0, head, events: [] },
    { ...frame, first: 0, events: packed },
  ]
}

export const machine: Machine = {
  ...{ id: 'm', host: 'h', mixlab: ownVersions.mixlab, backend: 'simd', device: 'd', cores: 2, memory: 1e9, jobs: 1 },
  ...{ threads: 1, used: 5, free: 6, since: 7, state: 'works' },
  runs: [
    {
      ...{ key: 'k', study: 's', variant: 'v', seed: 1, attempt: 1, step: 1, steps: 4, stepsPerSecond: 2.5 },
    },
  ],
}

export const resume = { step: 4, state: { name: object, place: '1-7' }, best: { name: object, place: '1-7' } }

export const usedData = {
  files: { 'a.png': object },
  folders: { data: [{ name: 'a.png', kind: 'file', size: 3 }] },
}
