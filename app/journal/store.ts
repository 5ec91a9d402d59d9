import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Recorded, RunStart } from '../../engine/records/run.ts'
import { openStore, type Store } from '../store/index.ts'
import type { Objects } from '../store/objects.ts'
import type { RecordedBatch } from '../store/record.ts'
import { ensureFolder } from '../workspace/folder.ts'
import { attemptAfter } from './attempts.ts'
import { toJournal } from './events.ts'
import { importJournals, type ReadObject, separately } from './import.ts'
import { type Journal, journalsIn, readJournal, sizeOf } from './read.ts'
import { createJournal } from './write.ts'

/** A run in training here. */
interface InTraining {
  key: string
  attempt: number
  /** Its events in the journal, and how many its recorder has counted. */
  events: number
  counted: number
}

/**
 * A store that is made of the journals in a folder, of which this process writes one more: what is trained is in there, and
 * of the store itself, in a temporary folder of this machine, nothing stays. Before a run is begun, what others have written
 * meanwhile is taken up; `warn` hears once of what cannot be read. Throws MixlabError `store`.
 */
export function openJournalStore(folder: string, warn: (line: string) => void): Store {
  ensureFolder(folder)
  const own = createJournal(folder)
  const others = createShelf(own.objects)
  const temporary = mkdtempSync(join(tmpdir(), 'mixlab-journal-'))
  const owners = join(temporary, 'owners')
  ensureFolder(owners)
  const store = openStore({ database: join(temporary, 'mixlab.db'), objects: '', owners }, others.objects)
  const sizes = new Map<string, number>()
  const training = new Map<number, InTraining>()
  const said = new Set<string>()

  function takeUp(): void {
    const changed = journalsIn(folder).filter((path) => {
      const size = sizeOf(path)
      const isNew = sizes.get(path) !== size
      sizes.set(path, size)
      return isNew
    })
    const refused: string[] = []
    const journals = changed.map((path) => separately(refused, () => readJournal(path)))
    const foreign = journals.filter((journal): journal is Journal => journal !== null && journal.id !== own.id)
    importJournals(store, foreign, others.standInFor, refused)
    for (const why of refused.filter((each) => !said.has(each))) warn(why)
    for (const why of refused) said.add(why)
  }

  function record(...[id, events, by]: RecordedBatch): Recorded {
    const run = training.get(id)
    const isNew = run && by?.epoch !== undefined ? by.epoch === run.attempt : run !== undefined
    const at = Date.now()
    if (run && isNew && (by?.batch === undefined || by.batch > run.counted) && events.length > 0) {
      const stored = events.map((event) => toJournal(event, own.objects.write))
      own.append({ type: 'events', at, key: run.key, attempt: run.attempt, first: run.events, events: stored })
      run.events += events.length
      run.counted = by?.batch ?? run.counted
    }
    // points in columns are one event of a journal, and several of who trains
    const counted = run && by?.batch !== undefined ? { ...by, batch: run.events } : by
    return store.record(id, events, counted, at)
  }

  takeUp()
  return {
    ...store,
    recordDesign(design, notebook, at = Date.now()) {
      own.append({ type: 'design', at, design, ...(notebook !== undefined && { notebook }) })
      store.recordDesign(design, notebook, at, at)
    },
    beginRun(run: RunStart) {
      takeUp()
      const at = Date.now()
      const [before] = store.latestAttempts([run.key])
      const numbered = { ...run, attempt: attemptAfter(before?.number ?? 0, own.id) }
      const begun = store.beginRun(numbered, at)
      if (!begun) return null
      const from = before?.id === begun.id ? { attempt: before.number, events: before.events } : null
      own.append({ type: 'begin', at, run: numbered, from })
      training.set(begun.id, { key: run.key, attempt: numbered.attempt, events: 0, counted: 0 })
      return begun
    },
    record,
    recordTogether: (batches) => batches.map((batch) => answering(() => record(...batch))),
    keepReadout(id, readout, notebook) {
      const summary = store.keepReadout(id, readout, notebook)
      const key = store.showRuns([id])[0]?.key ?? ''
      own.append({ type: 'readout', at: Date.now(), key, readout, ...(notebook !== undefined && { notebook }) })
      return summary
    },
    close() {
      store.close()
      own.close()
      rmSync(temporary, { recursive: true, force: true })
    },
  }
}

/** A function that returns, or throws, what was returned, or thrown, once. */
function answering<Answer>(ask: () => Answer): () => Answer {
  try {
    const answer = ask()
    return () => answer
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/**
 * The objects of this worker with those of others, which stay where they are: what stands for one of theirs is an array whose
 * hash is known.
 */
function createShelf(own: Objects): { objects: Objects; standInFor: ReadObject } {
  const places = new Map<string, Objects>()
  const known = new WeakMap<Uint8Array, string>()
  const placeOf = (hash: string) => (own.has(hash) ? own : places.get(hash))
  return {
    objects: {
      has: (hash) => placeOf(hash)?.has(hash) ?? false,
      write: (bytes) => known.get(bytes) ?? own.write(bytes),
      read: (hash) => placeOf(hash)?.read(hash) ?? null,
      remove: own.remove,
      list: () => [],
    },
    standInFor({ objects }, hash, field) {
      if (!objects.has(hash)) return null
      const standIn = (field === 'outcomes' && objects.read(hash)) || new Uint8Array(1) // outcomes are looked into
      known.set(standIn, hash)
      places.set(hash, objects)
      return standIn
    },
  }
}
