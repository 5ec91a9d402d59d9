import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MixlabError } from '../../../engine/errors.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { RunStart } from '../../../engine/records/run.ts'
import type { EntryOf, JournalEvent } from '../../journal/entry.ts'
import { toJournal } from '../../journal/events.ts'
import { createJournal } from '../../journal/write.ts'
import { sha256 } from '../objects.ts'

/** Milliseconds for which events are gathered before they are written. */
const GATHER_MS = 500

const FILES = ['weights', 'best', 'state'] as const
type Files = Map<(typeof FILES)[number], { hash: string; bytes: Uint8Array }>

/** An attempt at a run on the disk of its worker, a journal as `mixlab import` takes it. */
export interface Aside {
  put(event: TrainEvent): void
  /** The server is away or full: from here on the files of the last checkpoint are on the disk, too. */
  away(): void
  /** Where it is, with all that was put. Without `keep` nothing of it stays: the queue has it all, or somebody else trains the run. */
  close(keep: boolean): string | null
}

/**
 * Keeps an attempt aside in a folder as long as the queue may lose it. `from` is what it goes on from; its events are counted as
 * in its frames. Of checkpoints the files of the last one alone are kept, in memory as long as the server has them as well. A
 * disk that is full stops nothing: `say` says it once.
 */
export function openAside(
  folder: string,
  run: RunStart & { attempt: number },
  from: EntryOf<'begin'>['from'],
  say: (line: string) => void,
): Aside {
  const { key, attempt } = run
  const journal = createJournal(folder)
  let gathered: JournalEvent[] = []
  let first = 0
  let last: Files = new Map()
  let isAway = false
  let broken = false
  let timer: NodeJS.Timeout | undefined

  /** Does something to the disk, unless that has failed before. */
  function trying(work: () => void): void {
    if (broken) return
    try {
      work()
    } catch (error) {
      if (!(error instanceof MixlabError)) throw error
      broken = true
      say(`run ${key.slice(0, 8)} is not kept on this disk: ${error.message}`)
    }
  }

  function write(): void {
    clearTimeout(timer)
    timer = undefined
    if (gathered.length === 0) return
    trying(() => journal.append({ type: 'events', at: Date.now(), key, attempt, first, events: gathered }, isAway))
    first += gathered.length
    gathered = []
  }

  /** Takes the place of the last checkpoint, whose files go where nobody else has them. */
  function replace(event: Extract<TrainEvent, { type: 'checkpoint' }>): JournalEvent {
    const before = last
    last = new Map(before)
    const packed = toJournal(event, sha256)
    for (const name of FILES) {
      const bytes = event[name]
      if (bytes) last.set(name, { hash: String(packed[name]), bytes })
    }
    if (isAway) trying(() => keepFiles())
    const kept = new Set([...last.values()].map(({ hash }) => hash))
    for (const { hash } of before.values()) if (!kept.has(hash)) trying(() => journal.objects.remove(hash))
    return packed
  }

  function keepFiles(): void {
    for (const { hash, bytes } of last.values()) if (!journal.objects.has(hash)) journal.objects.write(bytes)
  }

  trying(() => journal.append({ type: 'begin', at: Date.now(), run, from }, false))
  return {
    put(event) {
      if (event.type === 'checkpoint') gathered.push(replace(event))
      else trying(() => gathered.push(toJournal(event, journal.objects.write)))
      if (isAway && event.type !== 'step' && event.type !== 'metric') write()
      else timer ??= setTimeout(write, GATHER_MS)
    },
    away() {
      if (isAway) return
      isAway = true
      trying(keepFiles)
      write()
    },
    close(keep) {
      if (keep) write()
      clearTimeout(timer)
      journal.close()
      if (!keep) rmSync(dirname(journal.path), { recursive: true, force: true })
      return keep && !broken ? dirname(journal.path) : null
    },
  }
}

/** Where a worker keeps attempts aside, below the folder of its cache. */
export const asideFolder = (cache: string): string => join(cache, 'journals')
