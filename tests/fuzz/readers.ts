import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode, encode } from '@msgpack/msgpack'
import type { Redis } from 'ioredis'
import { boundedChannel, valueOfJson } from '../../app/bounded.ts'
import { answersOf, type PlanEvent, verdictsOf } from '../../app/cli/training/comparison.ts'
import { frameOf, framesIn } from '../../app/journal/frames.ts'
import { importFolders } from '../../app/journal/import.ts'
import { openJournalStore } from '../../app/journal/store.ts'
import { JOURNAL } from '../../app/journal/write.ts'
import { dataSource, parseUsedData } from '../../app/queue/data.ts'
import { FIELD, type Frame, unpackEntry } from '../../app/queue/frames.ts'
import { openJob, openOwner, ownVersions } from '../../app/queue/job.ts'
import { openSigner } from '../../app/queue/keys.ts'
import { listMachines } from '../../app/queue/machines.ts'
import { namesOf } from '../../app/queue/names.ts'
import { whyNotBelieved } from '../../app/queue/owner/followed.ts'
import { createInbox } from '../../app/queue/owner/inbox.ts'
import { readEvent, whyNotNext } from '../../app/queue/owner/readEvent.ts'
import { continued, takeUp } from '../../app/queue/resume.ts'
import { openStore, type Store } from '../../app/store/index.ts'
import { openWorkspace } from '../../app/workspace/index.ts'
import { connect, pack } from '../../engine/channel.ts'
import { MixlabError } from '../../engine/errors.ts'
import { designSchema, type StudyDesign } from '../../engine/records/design.ts'
import type { RunStart, StoredRun } from '../../engine/records/run.ts'
import { type KeyedSpec, keyOfRun } from '../../engine/study/key.ts'
import { planEvent } from '../../engine/study/planned/planned.ts'
import { withPlan } from '../../engine/study/planned/planOf.ts'
import { readers as formats } from '../engine/export/damage.ts'
import { sampleFiles } from '../engine/export/damageSamples.ts'
import { fuzzedNotebook, openAnalysed } from '../engine/notebook/fuzz.ts'
import { type Draws, damagedBytes, damagedValue } from './mutate.ts'
import {
  designOf,
  eventsOf,
  framesOf,
  jobOf,
  machine,
  resume,
  runOf,
  temporaryFolder,
  train,
  usedData,
} from './samples.ts'

/** What reading a damaged input came to: it can still be read, or an error of ours said why not. */
export type Outcome = 'read' | 'refused'

/** An open reader. */
export interface Reading {
  /** Makes an input of some draws and reads it. Throws what is no error of ours, in the words of a person. */
  read(draws: Draws): Outcome | Promise<Outcome>
  close?(): void
}

export interface Reader {
  /** Its part of the inputs, against that of the others. */
  share: number
  /** Seconds of processor time that an input of it may take, where that is more than for others. */
  seconds?: number
  open(): Reading | Promise<Reading>
}

/** All that reads what comes from elsewhere. */
const all = {
  journals: { share: 5, open: openJournals },
  designs: { share: 5, open: openDesigns },
  frames: { share: 6, open: openFrames },
  keys: { share: 6, open: openKeys },
  messages: { share: 4, open: openMessages },
  weights: { share: 3, open: openWeights },
  notebooks: { share: 1, seconds: 2, open: () => ({ read: readNotebook }) },
} satisfies Record<string, Reader>
export type ReaderName = keyof typeof all
export const READERS: Record<ReaderName, Reader> = all

/** What comes of something that may be refused by a MixlabError. */
async function outcome(work: () => unknown): Promise<Outcome> {
  try {
    await work()
    return 'read'
  } catch (error) {
    if (error instanceof MixlabError && error.message.length < 2000) return 'refused'
    throw error
  }
}

/** How many inputs a store takes before an empty one takes its place. */
const INPUTS_OF_A_STORE = 200

/** A function that gives a store with what `fill` puts there, now and then a new one. */
function stores(fill: (store: Store) => void) {
  const { folder, close } = temporaryFolder()
  let open: { store: Store; path: string } | null = null
  let inputs = 0
  const end = () => {
    open?.store.close()
    if (open) rmSync(open.path, { recursive: true, force: true })
    open = null
  }
  return {
    folder,
    next(): Store {
      if (open && inputs++ % INPUTS_OF_A_STORE > 0) return open.store
      end()
      const path = join(folder, `${inputs}`)
      mkdirSync(path)
      open = { store: openStore(openWorkspace(path)), path }
      fill(open.store)
      return open.store
    },
    close() {
      end()
      close()
    },
  }
}

type Entries = Record<string, unknown>[]

/** A damaged journal beside a whole one, whose runs are taken all the same. */
function openJournals(): Reading {
  const own = stores(() => {})
  const made = join(own.folder, 'made')
  const [good, bad] = ['good', 'bad'].map((study, i) => {
    const store = openJournalStore(join(made, study), (line) => {
      throw new Error(line)
    })
    store.recordDesign(designOf(study))
    const runs = [1, 2].map((seed) => runOf(study, `v${i}`, seed))
    for (const run of runs) train(store, run, eventsOf(run.seed))
    store.keepReadout(1, { metric: 'readout/norm', digest: 'd', value: 1, meaning: {}, test: false })
    store.close()
    return { keys: runs.map(({ key }) => key), path: join(made, study, readdirSync(join(made, study))[0] ?? '') }
  }) as [{ keys: string[]; path: string }, { keys: string[]; path: string }]
  const folder = join(own.folder, 'folder')
  cpSync(good.path, join(folder, 'good'), { recursive: true })
  cpSync(bad.path, join(folder, 'bad'), { recursive: true })
  const file = readFileSync(join(bad.path, JOURNAL))
  const other = readFileSync(join(good.path, JOURNAL))
  const entries = framesIn(file).contents.map((content) => decode(content)) as Entries
  const others = framesIn(other).contents.map((content) => decode(content)) as Entries

  return {
    read(draws) {
      const bytes = draws.once(4)
        ? damagedBytes(file, draws, other)
        : Buffer.concat(forged(entries, others, draws).map((content) => frameOf(content)))
      writeFileSync(join(folder, 'bad', JOURNAL), bytes)
      const store = own.next()
      const { refused, left } = importFolders(store, [folder])
      if (store.findDone(good.keys).length < good.keys.length) throw new Error('a whole run beside it was not taken')
      for (const line of [...refused, ...left.map(({ why }) => why)])
        if (line.length > 2000 || /TypeError|SQLITE_|not a function|undefined/.test(line)) throw new Error(line)
      ask(store)
      return refused.length + left.length > 0 ? 'refused' : 'read'
    },
    close: own.close,
  }
}

/** Contents of a journal: its entries with a few damaged, of which the runs may have the keys of their specs. */
function forged(entries: Entries, others: Entries, draws: Draws): Uint8Array[] {
  const all = structuredClone(entries)
  for (let left = 1 + draws.below(2); left > 0; left--) {
    const type = draws.of(['journal', 'design', 'begin', 'begin', 'events', 'events', 'readout'])
    const place = draws.of(all.flatMap((entry, i) => (entry?.type === type ? [i] : [])))
    if (place === undefined) continue
    all[place] = damagedValue(all[place], draws, draws.once(2) ? others : entries) as Entries[number]
  }
  if (draws.once(2)) {
    for (const entry of all) sign(entry?.run as Partial<RunStart> | undefined, all)
  }
  return all.flatMap((entry) => {
    try {
      const content = encode(entry)
      return [draws.once(20) ? damagedBytes(content, draws) : content]
    } catch {
      return [] // too deep, or a number too large
    }
  })
}

/** Gives a run the key of its spec, and its events, too. */
function sign(run: Partial<RunStart> | undefined, all: Entries): void {
  if (!run || typeof run !== 'object' || typeof run.spec !== 'object') return
  try {
    const { key } = run
    run.seed = (run.spec as { seed?: number }).seed ?? 0
    run.key = keyOfRun(run.spec as unknown as KeyedSpec)
    for (const entry of all) if (entry && entry.key === key) entry.key = run.key
  } catch {} // it has none
}

/** Asks a store what is shown of runs and designs. */
function ask(store: Store): void {
  const runs = store.listRuns().slice(0, 10)
  const ids = runs.map(({ id }) => id)
  store.showRuns(ids)
  store.earlierDesigns(runs.map(({ key }) => key))
  for (const metric of ['train/loss', 'test/accuracy']) store.readSeries(ids, metric)
}

/** A design that is kept beside the runs of a study, which is shown then as before. */
function openDesigns(): Reading {
  const design = designOf('study')
  const { readouts: _, tuned: __, questions: ___, ...plain } = design
  const own = stores((store) => {
    store.recordDesign(plain)
    for (const { variant, seed } of design.runs) train(store, runOf('study', variant, seed), eventsOf(seed))
  })
  const keys = design.runs.map(({ key }) => key)
  const shown = (given: StudyDesign, store: Store) => {
    const all = [...new Set([...keys, ...given.runs.flatMap(({ key, trained = key }) => [key, trained])])].slice(0, 500)
    const planned = withPlan(given, store.earlierDesigns(all), false, 1)
    const done = store.findDone(all) as StoredRun[]
    const found = new Map(done.map((run) => [run.key, run]))
    const runs = given.runs.map((run) => ({ ...runOf('study', 'a', 1), ...run }))
    const plan = planEvent({ name: given.study, metric: given.metric } as never, planned, runs, found) as PlanEvent
    verdictsOf(plan, done, store.baselines(), 'a.ts')
    answersOf(plan, done, 'a.ts')
  }
  return {
    async read(draws) {
      const given = designSchema.safeParse(damagedValue(draws.once(2) ? design : plain, draws, design))
      if (!given.success) return 'refused'
      const store = own.next()
      const kept = await outcome(() => {
        if (draws.once(2)) store.keepDesign(given.data, draws.of([0, 1, Date.now()]))
        else store.recordDesign(given.data, draws.of([undefined, 'a.ts', 'b.ts']))
      })
      shown(plain, store) // what is forged costs no other
      return (await outcome(() => shown(given.data, store))) === 'read' ? kept : 'refused'
    },
    close: own.close,
  }
}

/** The bytes of every object. */
const OBJECT = Buffer.of(1, 1)

/** A Redis that answers anything. */
function redisOf(answer: () => unknown): Redis {
  const answers = ['get', 'eval', 'mget', 'zrangebyscore']
  const named = Object.fromEntries(answers.map((name) => [name, async () => answer()]))
  return { ...named, hgetBuffer: async () => OBJECT } as unknown as Redis
}

const run = runOf('study', 'a', 1)
const names = namesOf('w')

/** A stream of frames up to where an owner records their events. */
function openFrames(): Reading {
  const frames = framesOf(run.key)
  const host = { lookAt: () => [] }
  return {
    read: (draws) =>
      outcome(async () => {
        const inbox = createInbox(run.key, 'n', whyNotBelieved)
        const all = [...frames, ...(draws.once(2) ? [frames[1] as Frame] : [])]
        const place = draws.below(all.length)
        const refused: unknown[] = []
        for (const [i, frame] of all.entries()) {
          const bytes = bytesOf(i === place && draws.once(2) ? damagedValue(frame, draws, frames) : frame)
          const sent = i === place && draws.once(2) ? damagedBytes(bytes, draws) : bytes
          refused.push(inbox.take(`${i}-0`, unpackEntry([Buffer.from(FIELD), Buffer.from(sent)])))
        }
        const attempt = inbox.attempt(1)
        const redis = redisOf(() => draws.of([null, JSON.stringify(damagedValue(resume, draws)) ?? 'x']))
        for (const [i, packed] of attempt?.events.slice(0, 20).entries() ?? []) {
          const event = await readEvent(redis, names, run.key, packed, attempt?.number ?? 0, i)
          if (event) await whyNotNext(event, run.key, host as never)
        }
        inbox.recorded(attempt?.number ?? 0, 3)
      }),
  }
}

function bytesOf(value: unknown): Uint8Array {
  try {
    return encode(value, { ignoreUndefined: true })
  } catch {
    return Uint8Array.of(0xc1) // too deep
  }
}

/** What stands in Redis as JSON: jobs and owners, which are signed, where runs go on from, machines, and which data are used. */
function openKeys(): Reading {
  const { folder, close } = temporaryFolder()
  const signer = openSigner(folder)
  const job = jobOf(signer.workspace, run)
  const owner = { ...ownVersions, workspace: signer.workspace, name: 'me' }
  const texts = [job, owner, resume, machine, usedData].map((value) => JSON.stringify(value))
  const text = (value: unknown, draws: Draws) => {
    const json = JSON.stringify(damagedValue(value, draws, [job, machine, usedData])) ?? 'undefined'
    return draws.once(3)
      ? new TextDecoder().decode(damagedBytes(Buffer.from(json), draws, Buffer.from(draws.of(texts))))
      : json
  }
  const signed = (value: unknown, draws: Draws) => {
    const body = text(value, draws)
    const whole = { body, signature: draws.once(4) ? 'x' : signer.sign(body) }
    return draws.once(4) ? valueOfJson(text(whole, draws)) : whole
  }
  const redis = (value: unknown, draws: Draws) => redisOf(() => text(value, draws))
  const parts: ((draws: Draws) => unknown)[] = [
    (draws) => openJob(signed(job, draws), run.key, signer),
    (draws) => openOwner(signed(owner, draws), signer),
    async (draws) => {
      const found = await takeUp(redis(resume, draws), names, run.key, 1)
      if (found) continued(found.state)
    },
    async (draws) => {
      const given = { ...redis(machine, draws), zrangebyscore: async () => ['m', draws.of(['1', 'x', '1e999'])] }
      const found = await listMachines({ ...given, mget: async () => [text(machine, draws)] } as never, names)
      for (const { runs } of found) for (const { stepsPerSecond } of runs) stepsPerSecond.toFixed(1)
    },
    async (draws) => {
      const used = parseUsedData(Buffer.from(text(usedData, draws)))
      const source = dataSource(used, async () => Uint8Array.of(1))
      for (const path of [...Object.keys(used.files), '__proto__', 'a.png']) await source.read(path)
      for (const path of [...Object.keys(used.folders), 'constructor']) await source.list(path)
    },
  ]
  return { read: (draws) => outcome(() => draws.of(parts)(draws)), close }
}

/** What a cell sends. Anything that is no message ends its process alone, by an error of any kind. */
function openMessages(): Reading {
  const messages = [
    { m: 'record', a: [1, eventsOf(1)], i: 'a', t: 'q' },
    { m: 'print', a: [[{ kind: 'text', text: 'a' }], 1], i: 'b', t: 'q' },
    { i: 'c', r: Array.from({ length: 30 }, (_, i) => i), t: 's' },
    { i: 'c', e: { code: 'data', path: 'a', message: 'a: b' }, t: 's' },
  ]
  return {
    async read(draws) {
      let receive: (message: Uint8Array) => unknown = () => {}
      const listen = (given: typeof receive) => {
        receive = given
      }
      const offered = { record: () => 1, print: () => {} }
      const { remote, close } = connect<{ asked(): Promise<unknown> }>(
        offered,
        boundedChannel({ post: () => {}, listen }),
      )
      const asked = remote.asked().catch(() => {}) // what another side answers
      const given = draws.of(messages)
      const bytes = draws.once(2) ? bytesOf(damagedValue(given, draws, messages)) : damagedBytes(pack(given), draws)
      try {
        await receive(bytes)
        return 'read'
      } catch {
        return 'refused'
      } finally {
        close('over')
        await asked
      }
    },
  }
}

/** Files of weights and models. */
async function openWeights(): Promise<Reading> {
  const files = Object.entries(await sampleFiles())
  return {
    read(draws) {
      const [format, file] = draws.of(files)
      return outcome(() => formats[format]?.(damagedBytes(file, draws)))
    },
  }
}

/** Texts of notebooks: each is shown as it is, whatever it is. */
function readNotebook(draws: Draws): Outcome {
  openAnalysed(fuzzedNotebook(draws.below(2 ** 31)))
  return 'read'
}
