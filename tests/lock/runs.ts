import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { studiesIn } from '../../app/studies.ts'
import { runningDigest } from '../../engine/data/digest.ts'
import type { TrainEvent } from '../../engine/records/events.ts'
import type { PlannedRun } from '../../engine/records/run.ts'
import type { Study } from '../../engine/study/compare.ts'
import { executeStudy } from '../../engine/study/execute.ts'
import { legacyRuns } from '../../engine/study/former/legacyRuns.ts'
import { openStudy } from '../../engine/study/open.ts'
import { isTiming } from '../../engine/train/timings.ts'
import { readSafetensors } from '../../engine/weights/safetensors.ts'
import { memoryRuns } from '../engine/study/memory-runs.ts'
import { files } from './files.ts'

/** The notebook whose runs are locked. */
export const NOTEBOOK = readFileSync(join(import.meta.dirname, 'studies.ts'), 'utf8')
/** Characters of a hash that are kept. */
const KEPT = 16

/** The runs of the notebook. */
export async function plannedRuns(): Promise<PlannedRun[]> {
  const opened = (await lockedStudies()).map(async (study) => (await openStudy(study, {}, files)).planned)
  return (await Promise.all(opened)).flat()
}

/** Those of a study that had another key while it had the tokens of their cells and what they do, under that. */
export async function formerKeys(name: string): Promise<PlannedRun[]> {
  const studies = (await lockedStudies()).filter((study) => study.name === name)
  const opened = studies.map(async (study) => legacyRuns(await openStudy(study, {}, files)))
  return (await Promise.all(opened)).flat().flatMap(({ run }) => ('does' in (run.spec.model as object) ? [run] : []))
}

function lockedStudies(): Promise<Study[]> {
  return studiesIn(NOTEBOOK, () => {})
}

/** What a run is called in the table. */
export const nameOf = ({ study, variant }: { study: string; variant: string }) => `${study} / ${variant}`

/** What decides about the numbers of a run beside its key: `NUMERICS`, and behind a dot the number of its block. */
export function numericsOf({ spec }: Pick<PlannedRun, 'spec'>): string {
  const { numerics, model } = spec as { numerics: number; model: { numerics?: number } }
  return `${numerics}.${model.numerics ?? 1}`
}

export const shortKey = ({ key }: { key: string }) => key.slice(0, KEPT)

/** Trains runs of the notebook on the current backend, all or what `choose` leaves of its studies; gives their bits by key. */
export async function trainedBits(choose = (studies: Study[]) => studies): Promise<Map<string, string>> {
  const runs = memoryRuns()
  const backend = { name: 'simd', device: 'test' } as const
  for (const study of choose(await lockedStudies())) {
    for await (const event of executeStudy(study, { runs, files, backend })) {
      if (event.type === 'run' && event.event.type === 'failed')
        throw new Error(`${study.name}: ${event.event.message}`)
    }
  }
  return new Map(runs.started.map(({ key, events }) => [key, bitsOfEvents(events)]))
}

function bitsOfEvents(events: TrainEvent[]): string {
  const weights = events.findLast((event) => event.type === 'checkpoint')?.weights ?? new Uint8Array()
  return bitsOf(
    events.filter((event) => event.type === 'metric'),
    weights,
  )
}

/** A hash of all metrics of a run, those of the clock excepted, and of its weights, a safetensors file. */
export function bitsOf(metrics: { name: string; step: number; value: number }[], weights: Uint8Array): string {
  const hash = runningDigest()
  const add = (...words: unknown[]) => hash.add(new TextEncoder().encode(`${words.join(' ')}\n`))
  const sorted = metrics.toSorted((a, b) => (a.name === b.name ? a.step - b.step : a.name < b.name ? -1 : 1))
  for (const { name, step, value } of sorted) if (!isTiming(name)) add(name, step, value)
  for (const { name, shape, values } of readSafetensors(weights).tensors) {
    add(name, shape)
    hash.add(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
  }
  return hash.hex().slice(0, KEPT)
}
