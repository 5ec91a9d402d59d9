import { MixlabError } from '../../engine/errors.ts'
import { MAX_BYTES, unpackOutcomes } from '../../engine/records/outcomes/pack.ts'
import type { Database } from './database.ts'
import type { ReadParts, StoreParts } from './parts.ts'
import { checkRun } from './run.ts'
import { keepObject, objectOf } from './runObjects.ts'

/** What a run came to on each of its test examples; null for a run without that. Throws MixlabError `store` for an unknown run. */
export function readOutcomes(store: ReadParts, run: number): Uint8Array | null {
  checkRun(store, run)
  const hash = objectOf(store, run, 'outcomes')
  if (hash === null) return null
  const bytes = store.objects.read(hash)
  if (bytes) return bytes
  throw new MixlabError('store', `run ${run}`, `its outcomes of examples are missing: object ${hash}`)
}

/**
 * Keeps what a run that is done came to on each test example, where nothing is kept yet. Throws MixlabError `store` for an unknown run, one that is not done, and bytes that are no outcomes.
 */
export function keepOutcomes(store: StoreParts, run: number, bytes: Uint8Array): void {
  checkRun(store, run)
  checkOutcomes(bytes, `run ${run}`)
  const hash = store.objects.write(bytes)
  store.write(() => {
    const row = store.get<{ status: string; step: number }>('select status, step from run where id = ?', run)
    if (row?.status !== 'done') throw new MixlabError('store', `run ${run}`, 'is not done')
    if (objectOf(store, run, 'outcomes') !== null) return
    if (!store.objects.has(hash)) store.objects.write(bytes)
    keepObject(store, run, 'outcomes', row.step, hash)
  })
}

/** Deletes the outcomes of a run after `step`. */
export function truncateOutcomes(database: Database, run: number, step: number): void {
  database.run('delete from run_outcomes where run = ? and step > ?', run, step)
}

/** Throws MixlabError `store` for bytes that are no outcomes, or too many. */
export function checkOutcomes(bytes: Uint8Array, name: string): void {
  if (bytes.length > MAX_BYTES) {
    throw new MixlabError('store', name, `outcomes of ${bytes.length} bytes, expected at most ${MAX_BYTES}`)
  }
  unpackOutcomes(bytes, name)
}
