import { checkArguments } from '../../engine/call.ts'
import { MixlabError, messageOf, quoted } from '../../engine/errors.ts'
import type { RecordedEvent } from '../../engine/records/events.ts'
import type { RunStart } from '../../engine/records/run.ts'
import { runCalls } from '../../engine/records/store.ts'
import type { ImportedRuns } from '../../engine/records/workspace.ts'
import { type KeyedSpec, keyOfRun } from '../../engine/study/key.ts'
import { isTakenOver } from '../../engine/study/recordEvents.ts'
import type { Store } from '../store/index.ts'
import { attemptsIn, type JournalAttempt } from './attempts.ts'
import type { BYTES } from './entry.ts'
import { fromJournal, withLastCheckpoint } from './events.ts'
import { type Journal, journalsIn, readJournal, sizeOf } from './read.ts'

type LeftRun = ImportedRuns['left'][number]

/** The bytes of an object of a journal, which is such a field of an event; null where the file is not there. */
export type ReadObject = (journal: Journal, hash: string, field: (typeof BYTES)[number]) => Uint8Array | null

/** Events that are recorded in one transaction. */
const AT_ONCE = 20_000

/** More metrics than a run has. */
const MAX_METRICS = 10_000

/**
 * Takes what is new from the journals in some folders into a store. What is taken twice is the same as once, and so is the
 * order of folders: an attempt waits for the one that it goes on from. A journal, entry or run that cannot be read is named
 * among the refused ones, and costs no other. Throws MixlabError `store` where there is no journal.
 */
export function importFolders(store: Store, folders: readonly string[]): ImportedRuns {
  return atOnce(importingFolders(store, folders))
}

/** The same run by run: it yields after each. */
export function* importingFolders(store: Store, folders: readonly string[]): Generator<void, ImportedRuns> {
  const journals: Journal[] = []
  const refused: string[] = []
  for (const folder of folders) {
    const paths = journalsIn(folder)
    if (paths.length === 0) {
      const what = "has no journal; expected a folder into which 'mixlab run --journal' has trained"
      throw new MixlabError('store', folder, what)
    }
    for (const path of paths) {
      const journal = separately(refused, () => readJournal(path))
      if (journal) journals.push(journal)
    }
  }
  const read: ReadObject = ({ objects }, hash) => objects.read(hash)
  return yield* importing(store, journals, read, refused)
}

/** The same of journals that were read; `refused` names those that were not. */
export function importJournals(
  store: Store,
  journals: readonly Journal[],
  read: ReadObject,
  refused: string[] = [],
): ImportedRuns {
  return atOnce(importing(store, journals, read, refused))
}

/** What `take` gives, or null, with its error among the refused ones, where it throws a MixlabError. */
export function separately<Taken>(refused: string[], take: () => Taken): Taken | null {
  try {
    return take()
  } catch (error) {
    if (!(error instanceof MixlabError)) throw error
    refused.push(messageOf(error))
    return null
  }
}

function atOnce<Done>(work: Generator<void, Done>): Done {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

function* importing(
  store: Store,
  journals: readonly Journal[],
  read: ReadObject,
  refused: string[],
): Generator<void, ImportedRuns> {
  const own = longest(journals)
  const again = readingAgain()
  refused.push(...own.flatMap(({ lost }) => lost))
  importDesigns(store, own, refused)
  const imported: ImportedRuns = { journals: own.length, refused, taken: 0, done: 0, known: 0, left: [] }
  for (const attempts of attemptsIn(own, (line) => refused.push(line)).values()) {
    const outcomes = attempts.map((attempt, i) =>
      separately(refused, () => importAttempt(store, attempt, read, i + 1 < attempts.length, again)),
    )
    const left = outcomes.findLast((outcome) => outcome !== 'known')
    if (outcomes.includes('done') || outcomes.includes('taken')) imported.taken += 1
    else if (left === undefined) imported.known += 1
    if (outcomes.includes('done')) imported.done += 1
    else if (left && left !== 'taken' && left !== 'done') imported.left.push(left)
    yield
  }
  importReadouts(store, own, refused)
  return imported
}

/** Each journal once, the copy that has most of it. */
function longest(journals: readonly Journal[]): Journal[] {
  const byId = Map.groupBy(journals, ({ id }) => id)
  return [...byId.values()].map((copies) => copies.reduce((a, b) => (b.entries.length > a.entries.length ? b : a)))
}

/** Keeps designs that are new. The runs that are here keep their names. */
function importDesigns(store: Store, journals: readonly Journal[], refused: string[]): void {
  const designs = journals.flatMap(({ entries }) => entries.filter((entry) => entry.type === 'design'))
  const known = new Set<string>()
  for (const { design, at } of designs.sort((a, b) => a.at - b.at)) {
    const text = JSON.stringify(design)
    if (known.size === 0 || !known.has(text)) {
      for (const each of store.designsOf(design.runs.map(({ key }) => key))) known.add(JSON.stringify(each))
    }
    if (!known.has(text)) separately(refused, () => store.keepDesign(design, at))
    known.add(text)
  }
}

function importReadouts(store: Store, journals: readonly Journal[], refused: string[]): void {
  const readouts = journals.flatMap(({ entries }) => entries.filter((entry) => entry.type === 'readout'))
  for (const { key, readout, notebook } of readouts) {
    const [run] = store.findDone([key])
    if (run) separately(refused, () => store.keepReadout(run.id, readout, notebook))
  }
}

/** Takes what is new of an attempt, which may be `superseded` by a later one; `again` reads it once more where a file is missing. */
function importAttempt(
  store: Store,
  attempt: JournalAttempt,
  read: ReadObject,
  superseded: boolean,
  again: ReadAgain = () => undefined,
): 'done' | 'taken' | 'known' | LeftRun {
  const { run, at, from, journal, events } = attempt
  const { key, study, variant, seed } = run
  const left = (why: string): LeftRun => ({ key, study, variant, seed, why })
  const [latest = { number: 0, events: 0, status: null, done: false }] = store.latestAttempts([key])
  const { number } = latest
  const isKnown = run.attempt < number || (run.attempt === number && latest.events >= events.length)
  if (latest.done || isKnown) return 'known'
  const ending = events.at(-1)?.event.type
  if (latest.status === 'running' && ending !== 'done') return left('it is in training here')
  if (
    from &&
    run.attempt > number &&
    (from.attempt > number || (from.attempt === number && from.events > latest.events))
  ) {
    return left('it goes on from an attempt in another journal, which is not there or not whole')
  }
  const after = run.attempt === number ? latest.events : 0
  const fresh = withLastCheckpoint(events.slice(after).map(({ event }) => event))
  const found = fromJournal(fresh, (hash, field) => read(journal, hash, field), superseded)
  if (!found) {
    const now = again(attempt) // its worker may have replaced a checkpoint meanwhile
    return now ? importAttempt(store, now, read, superseded) : left(`a file of it is missing beside ${journal.path}`)
  }
  try {
    check(attempt, found)
    const begun = store.beginRun(run, events[after - 1]?.at ?? at)
    if (!begun) return left('another process trains it, or takes it up, at this moment')
    const times = events.map((each) => each.at)
    const last = times.at(-1) ?? at
    for (let i = 0; i < found.length; i += AT_ONCE) {
      const batch = found.slice(i, i + AT_ONCE)
      const recorded = after + i + batch.length
      store.record(begun.id, batch, { epoch: begun.epoch, batch: recorded }, last)
    }
    if (ending !== 'done' && ending !== 'failed' && ending !== 'interrupted') {
      store.record(begun.id, [{ type: 'interrupted', step: stepOf(found) }], { epoch: begun.epoch }, last)
    }
  } catch (error) {
    if (isTakenOver(error)) return left('another process has taken it over')
    throw error
  }
  return ending === 'done' ? 'done' : 'taken'
}

/** Throws MixlabError `store` for an attempt that no Mixlab has written so. */
function check({ run, journal }: JournalAttempt, events: RecordedEvent[]): void {
  const { key, study, variant, seed, spec } = run
  const wrong = (why: string) =>
    new MixlabError('store', journal.path, `${study}, ${variant}, seed ${seed} (${quoted(key.slice(0, 8))}): ${why}`)
  try {
    checkArguments(runCalls, 'record', [0, events])
  } catch (error) {
    throw wrong(messageOf(error))
  }
  if (keyIn(spec) !== key) throw wrong('its key is not that of its spec')
  if (spec.seed !== seed) throw wrong('its spec has another seed')
  const metrics = new Set(events.flatMap((event) => namesIn(event)))
  if (metrics.size > MAX_METRICS) throw wrong(`has ${metrics.size} metrics, and at most ${MAX_METRICS} are taken`)
}

/** The key of a spec; null where it is none that has one. */
function keyIn(spec: RunStart['spec']): string | null {
  try {
    return keyOfRun(spec as unknown as KeyedSpec)
  } catch {
    return null
  }
}

function namesIn(event: RecordedEvent): string[] {
  return event.type === 'points' ? event.series.map(({ name }) => name) : event.type === 'metric' ? [event.name] : []
}

type ReadAgain = (attempt: JournalAttempt) => JournalAttempt | undefined

/** Finds attempts in their journals as these are now; a journal is read once, and again when it has grown. */
function readingAgain(): ReadAgain {
  const known = new Map<string, { size: number; attempts: Map<string, JournalAttempt[]> }>()
  return ({ journal: { path }, run }) => {
    const size = sizeOf(path)
    if (known.get(path)?.size !== size) {
      const now = readJournal(path)
      known.set(path, { size, attempts: attemptsIn(now ? [now] : []) })
    }
    const attempts = known.get(path)?.attempts.get(run.key)
    return attempts?.find((each) => each.run.attempt === run.attempt)
  }
}

const stepOf = (events: readonly RecordedEvent[]) =>
  events.reduce((step, event) => ('step' in event ? Math.max(step, event.step) : (event.resumedAt ?? step)), 0)
