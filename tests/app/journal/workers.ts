import { cpSync, mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openJournalStore } from '../../../app/journal/store.ts'
import { JOURNAL } from '../../../app/journal/write.ts'
import type { Store } from '../../../app/store/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { RunStart } from '../../../engine/records/run.ts'
import { type KeyedSpec, keyOfRun } from '../../../engine/study/key.ts'
import { storeIn } from '../store/openedStores.ts'
import { freshFolder, freshWorkspace, metricEvents, sampleRun } from '../store/samples.ts'

/** A run with the key of its spec. */
export function keyedRun(variant: string, seed = 0): RunStart {
  const spec = { task: { task: 'image' }, model: { block: variant }, train: { steps: 10 }, seed }
  return { ...sampleRun({ variant, seed }), spec, key: keyOfRun(spec as KeyedSpec) }
}

/** Lets a worker that writes a journal into a folder do something, and end. */
export function asWorker<Done>(folder: string, work: (store: Store) => Done): Done {
  const store = openJournalStore(folder, (line) => expect.unreachable(line))
  try {
    return work(store)
  } finally {
    store.close()
  }
}

export function emptyStore(): { store: Store; folder: string } {
  const folder = freshWorkspace()
  return { store: storeIn(folder), folder }
}

/** The events of a step range with a checkpoint at its end. */
export function stepsOf(from: number, to: number): TrainEvent[] {
  const bytes = (kind: number) => Uint8Array.from([kind, to])
  const checkpoint = { type: 'checkpoint', step: to, weights: bytes(1), best: bytes(2), state: bytes(3) } as const
  return [...metricEvents('loss', from, to), checkpoint]
}

/** Trains a run up to a step, from where it stands. */
export function trainIn(store: Store, run: RunStart, to: number, end?: 'done' | 'interrupted'): number {
  const [resumable] = store.findResumable([run.key], run.backend)
  const from = resumable?.step ?? 0
  const begun = store.beginRun(run)
  if (!begun) throw new Error(`${run.variant} is done, or trained elsewhere`)
  const { id, epoch } = begun
  const start = { type: 'start', steps: 10, parameters: 7, ...(from > 0 && { resumedAt: from }) } as const
  const events: TrainEvent[] = [start, ...stepsOf(from, to), ...(end ? [{ type: end, step: to }] : [])]
  let batch = 0
  for (const event of events) store.record(id, [event], { epoch, batch: ++batch })
  return id
}

/** What a store says of its runs, whoever recorded it in which order. */
export function contentsOf(store: Store) {
  const runs = store.listRuns().map(({ id, ...run }) => ({
    ...run,
    loss: store.readSeries([id], 'loss')[0],
    weights: store.listWeights(id).map(({ which, step }) => [which, step, [...store.readWeights(id, which)]]),
    state: store.readState(id),
    details: store.showRuns([id]).map(({ spec, code, origin, environment }) => ({ spec, code, origin, environment })),
  }))
  const withoutRun = runs.map(({ loss, ...run }) => ({
    ...run,
    loss: loss && { ...loss, run: undefined, id: undefined },
  }))
  return withoutRun.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** The folders of the journals in a folder. */
export const workersOf = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name))

/** A copy of a folder of a journal with the first bytes of that alone. */
export function cutCopy(worker: string, bytes: (length: number) => number): string {
  const folder = join(freshFolder(), 'copy')
  mkdirSync(folder)
  cpSync(worker, folder, { recursive: true })
  const path = join(folder, JOURNAL)
  truncateSync(path, bytes(readFileSync(path).length))
  return folder
}
