import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostForConnection } from '../../app/connection.ts'
import { type LocalHost, openHost } from '../../app/host.ts'
import { openQueueOfPage } from '../../app/queue/owner/setting.ts'
import { isQuestion, startReader } from '../../app/store/index.ts'
import { callByName } from '../../engine/call.ts'
import { MixlabError } from '../../engine/errors.ts'
import { type CapabilityRequest, type Host, hostCalls, kernelCalls } from '../../engine/host.ts'
import type { RecordedEvent } from '../../engine/records/events.ts'
import { histogramOf } from '../../engine/records/histogram.ts'
import { packOutcomes } from '../../engine/records/outcomes/pack.ts'
import type { Wall } from '../../engine/runs/wall.ts'
import { designOf } from '../designs.ts'
import { LOSS } from '../meanings.ts'
import { asWorker, keyedRun } from './journal/workers.ts'
import { query } from './store/runs/samples.ts'
import { begun, freshFolder, freshWorkspace, metricEvents, sampleRun } from './store/samples.ts'

type Name = keyof Host
const names = Object.keys(hostCalls) as Name[]

/** What there is in the workspace of a test. */
interface Known {
  /** A run that is done, one that was interrupted at a checkpoint, and one in training. */
  done: number
  interrupted: number
  running: number
  revision: string
  /** When the earlier text of a.ts was written. */
  version: number
  /** A notebook in the bin. */
  deleted: string
  capability: string
  /** A folder outside of the workspace, and one with a journal. */
  outside: string
  journals: string
}

const origin = { notebook: 'a.ts', cell: 'a', name: null, source: 'source', quick: false }
const environment = {
  ...{ mixlab: '0', runtime: 'node', platform: 'linux', architecture: 'x64', adapter: 'one', tfjs: '4' },
  ...{ cores: 2, threads: 1, numerics: 1 },
}
const other = sampleRun({ variant: 'other', origin, environment })
const { key, study, variant } = sampleRun()
const started = {
  notebook: 'a.ts',
  cell: 'a',
  source: '',
  fingerprint: 'f',
  plans: { s: [key] },
  backend: null,
  atOnce: 1,
  at: 5,
}
const { backend: _, device: __, ...planned } = sampleRun()
const capability: CapabilityRequest = { notebook: 'a.ts', cells: [{ id: 'a', kind: 'code', source: '1' }] }
const weights = new Uint8Array([1, 2])
const wall: Wall = {
  ...{ by: ['variant'], x: 'step', logX: false, smoothing: 0.5, band: 'sd' },
  panels: [
    {
      id: 'a',
      kind: 'scatter',
      metric: 'loss',
      x: 'time',
      columns: ['lr'],
      logX: true,
      logY: true,
      width: 1,
      height: 2,
    },
  ],
}
const spread = { w: histogramOf([1, Number.NaN, 2]) }
const test = { kind: 'numbers' as const, tested: 1, index: [0], lossName: 'squared error', loss: [2] }
const outcomes = packOutcomes({ test }) ?? new Uint8Array()

/** One of each. */
const events: { [Type in RecordedEvent['type']]: Extract<RecordedEvent, { type: Type }> } = {
  start: { type: 'start', steps: 10, parameters: 3, taken: 1, macs: 5, resumedAt: 0 },
  step: { type: 'step', step: 1, ms: 0.5 },
  metric: { type: 'metric', step: 1, name: 'loss', value: Number.NaN },
  points: {
    type: 'points',
    step: 2,
    series: [{ name: 'loss', meaning: LOSS, steps: [1, 2], values: [Number.NaN, 1] }],
  },
  checkpoint: { type: 'checkpoint', step: 2, weights, best: weights, bestStep: 1, state: weights },
  snapshot: { type: 'snapshot', step: 2, weights },
  histograms: { type: 'histograms', step: 2, weights: spread, gradients: spread },
  outcomes: { type: 'outcomes', step: 2, outcomes },
  report: { type: 'report', step: 2, report: { eval: { kind: 'maskedTokens', texts: [] } } },
  warning: { type: 'warning', step: 2, message: 'slow' },
  done: { type: 'done', step: 3 },
  failed: { type: 'failed', step: 3, message: 'no' },
  interrupted: { type: 'interrupted', step: 3 },
}

/** A study whose comparison is in the ledger. */
const compared = designOf(
  'compared',
  ['a', 'b'].map((variant) => ({ variant, seed: 0, key: `compared ${variant}` })),
)
for (const each of compared.variants) each.arm = { network: each.variant, on: 'data' }

/** Something to ask of each call. */
const examples: { [Called in Name]: (known: Known) => Parameters<Host[Called]> } = {
  describe: () => [],
  issueCapability: () => [capability],
  callWith: (known) => [known.capability, 'list', ['.']],
  endCapability: (known) => [known.capability],
  admitRuns: () => [[planned]],
  list: () => ['.'],
  read: () => ['data.txt', 0, 3],
  lookAtPictures: () => ['.', ['data.txt'], 'all'],
  decodePictures: () => ['.', [{ path: 'data.txt', bytes: 3, digest: null }], { size: 4, channels: 3, check: false }],
  listNotebooks: () => [],
  readNotebook: () => ['a.ts'],
  writeNotebook: ({ revision }) => ['a.ts', 'three', revision],
  renameNotebook: () => ['a.ts', 'b.ts'],
  deleteNotebook: () => ['free.ts'],
  listDeleted: () => [],
  restoreNotebook: ({ deleted }) => [deleted],
  listVersions: () => ['a.ts'],
  readVersion: ({ version }) => ['a.ts', version],
  readOutputs: () => ['a.ts'],
  writeOutput: () => ['a.ts', { cell: 'a', fingerprint: 'g', output: { rows: [1] } }],
  findDone: () => [[key]],
  findResumable: () => [[key, other.key], 'cpu'],
  doubtRuns: () => [[key]],
  showReadouts: () => [[key], [{ metric: 'readout/size', digest: 'd' }], 'a.ts'],
  keepReadout: ({ done }) => [
    done,
    { metric: 'readout/size', digest: 'd', value: Number.NaN, meaning: { unit: 'bytes' }, test: true },
    'a.ts',
  ],
  findFloors: () => ['f'],
  keepFloors: () => [
    'f',
    {
      ...{ version: 1, train: 8, test: null, fitted: 8, measured: 4 },
      models: [{ name: 'chance', values: { 'test/accuracy': 0.25 } }],
    },
  ],
  recordDesign: () => [designOf(study, [{ variant, seed: 0, key }]), 'a.ts', 5],
  earlierDesigns: () => [[key]],
  standingOf: () => [designOf(study, [{ variant, seed: 0, key }])],
  listFamilies: () => [],
  closeFamily: () => [1],
  designsOf: () => [[key]],
  alikeRuns: () => [{ data: 'd', task: { task: 'image' }, train: { steps: 1 } }],
  lookAt: () => [[key]],
  listLive: () => [],
  keepStarted: () => [{ ...started, cell: 'c' }],
  takeStarted: () => ['a.ts', 'b'],
  freeStarted: () => ['a.ts', 'a'],
  endStarted: () => ['a.ts', 'a'],
  stopRuns: ({ running }) => [[running]],
  beginRun: () => [sampleRun({ variant: 'new', origin, environment, from: { key, study, variant, seed: 0 } })],
  readState: ({ interrupted }) => [interrupted],
  record: ({ interrupted }) => [interrupted, Object.values(events), { epoch: 1, batch: 9 }],
  readWeights: ({ done }) => [done, 'best'],
  listRuns: () => [{ study, variant, status: 'done', keys: [key], notebook: 'a.ts', cell: 'a', limit: 3 }],
  queryRuns: () => [query({ sort: [{ column: 'seed', descending: true }], columns: ['loss'] })],
  groupRuns: () => [query({ columns: ['study'] })],
  runFields: () => [],
  differingOptions: () => ['status:done'],
  tagRuns: ({ done }) => [[done], ['good'], ['bad']],
  noteRun: ({ done }) => [done, 'a note'],
  archiveRuns: ({ done }) => [[done], true],
  changeBackend: ({ interrupted }) => [[interrupted], 'simd'],
  trainAgain: ({ done, interrupted }) => [[done, interrupted]],
  pinBaseline: () => [study, variant],
  baselines: () => [],
  showRun: ({ done }) => [`${done}`],
  showRuns: ({ done }) => [[done]],
  readSeries: ({ done }) => [[done], 'loss', 5, [0, 2]],
  readBands: ({ done }) => [[{ name: 'a', runs: [done] }], ['loss'], 5, [0, 2]],
  readCurves: ({ done }) => [
    {
      filter: '',
      metric: 'loss',
      by: ['variant'],
      x: 'step',
      logX: false,
      groups: ['gmlp'],
      lines: [done],
      buckets: 5,
      range: [0, 2],
    },
  ],
  readReport: ({ done }) => [done],
  readOutcomes: ({ done }) => [done],
  keepOutcomes: ({ done }) => [done, outcomes],
  listWeights: ({ done }) => [done],
  listExports: ({ done }) => [done],
  recordExport: ({ done }) => [
    done,
    { format: 'onnx', sha256: 'ab', weights: 'best', folded: false, toeplitz: true, examples: 64, difference: 1e-7 },
  ],
  listWalls: () => [],
  keepWall: () => ['other wall', wall, null],
  renameWall: () => ['a wall', 'its new name'],
  removeWall: () => ['a wall'],
  listHistograms: ({ done }) => [done],
  readHistograms: ({ done }) => [done, 'w'],
  readNorms: ({ done }) => [done],
  importJournals: ({ journals }) => [journals],
  watchQueue: () => [],
  setQueue: () => ['redis://user:password@host'],
  tellMachine: () => ['host-1-ab', 'pause'],
  querySql: () => ['select count(*) as n from runs'],
  cancelSql: () => ['select 1'],
  allowData: ({ outside }) => [outside],
}

const open: LocalHost[] = []
let shared: Prepared
beforeAll(async () => {
  shared = await prepared()
})
afterAll(() => {
  for (const host of open) host.close()
})

interface Prepared {
  host: Host
  known: Known
  folder: string
}

/** A host in a workspace that has something of everything, as a page sees it. */
async function prepared(): Promise<Prepared> {
  const folder = freshWorkspace()
  const local = openHost({ workspace: folder, openQueue: openQueueOfPage })
  open.push(local)
  const { host } = hostForConnection(local)
  writeFileSync(join(folder, 'data.txt'), 'some data')
  const first = await host.writeNotebook('a.ts', 'one', null)
  const revision = await host.writeNotebook('a.ts', 'two', first)
  await host.writeOutput('a.ts', { cell: 'a', fingerprint: 'f', output: 1 })
  await host.recordDesign(compared)
  const [done, interrupted] = [begun(await host.beginRun(sampleRun({ origin }))), begun(await host.beginRun(other))]
  const { start, checkpoint, snapshot, histograms, report } = events
  for (const id of [done, interrupted]) {
    await host.record(id, [start, ...metricEvents('loss', 0, 3), checkpoint, snapshot, histograms, report])
  }
  await host.record(done, [events.done])
  await host.record(interrupted, [events.interrupted])
  const running = begun(await host.beginRun(sampleRun({ variant: 'running' })))
  for (const cell of ['a', 'b']) await host.keepStarted({ ...started, cell })
  await host.freeStarted('a.ts', 'b')
  await host.keepWall('a wall', wall, null)
  const version = (await host.listVersions('a.ts'))[0]?.at ?? 0
  for (const name of ['free.ts', 'old.ts']) await host.writeNotebook(name, '', null)
  const { id: deleted } = await host.deleteNotebook('old.ts')
  const issued = { capability: await host.issueCapability(capability), outside: freshFolder(), journals: freshFolder() }
  asWorker(issued.journals, (store) => store.beginRun(keyedRun('far')))
  return { host, known: { done, interrupted, running, revision, version, deleted, ...issued }, folder }
}

/** Every file and every row of a workspace. */
function contentOf(folder: string): unknown {
  const database = new BetterSqlite3(join(folder, '.mixlab/mixlab.db'), { readonly: true })
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").pluck().all()
  const rows = tables.map((table) => [table, database.prepare(`select * from "${table}"`).all()])
  database.close()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => !/mixlab\.db/.test(path))
  return { rows, files: paths.sort().map((path) => [path, readFileSync(path, 'hex')]) }
}

/** Calls that change something and can be made again nevertheless. */
const WRITING: Name[] = [
  ...(['doubtRuns', 'recordDesign', 'keepReadout', 'keepFloors', 'keepOutcomes', 'beginRun', 'record'] as const),
  ...([
    'keepStarted',
    'takeStarted',
    'freeStarted',
    'endStarted',
    'stopRuns',
    'removeWall',
    'importJournals',
    'closeFamily',
  ] as const),
]
/** Calls about what the host holds in its memory alone. */
const HELD: Name[] = ['issueCapability', 'callWith', 'endCapability']
/** What a queue is told, which there is none of here; tests/app/queue has one. */
const QUEUED: Name[] = ['tellMachine']
const anything: Known = {
  done: 0,
  interrupted: 0,
  running: 0,
  revision: '',
  version: 0,
  deleted: '',
  capability: '',
  outside: '',
  journals: '',
}

describe('a call that is', () => {
  it.each(names.filter((name) => hostCalls[name].repeatable([]) && ![...WRITING, ...HELD, ...QUEUED].includes(name)))(
    'repeatable changes nothing, made twice: %s',
    async (name) => {
      const { host, known, folder } = shared
      const before = contentOf(folder)
      const asked = () => callByName(host, name, examples[name](known))
      expect(await asked()).toEqual(await asked())
      expect(contentOf(folder)).toEqual(before)
    },
  )

  it.each(WRITING)('repeatable and writes leaves the same, made once or twice: %s', async (name) => {
    const { host, known, folder } = await prepared()
    const before = contentOf(folder)
    const given = examples[name](known)
    expect(hostCalls[name].repeatable(given)).toBe(true)
    await callByName(host, name, given)
    const after = contentOf(folder)
    expect(after).not.toEqual(before)
    await callByName(host, name, given)
    if (name !== 'beginRun' && name !== 'recordDesign') expect(contentOf(folder)).toEqual(after) // but for times
  })

  it.each(names.filter((name) => !hostCalls[name].repeatable(examples[name](anything))))(
    'not repeatable changes something: %s',
    async (name) => {
      const { host, known, folder } = await prepared()
      const before = contentOf(folder)
      await callByName(host, name, examples[name](known))
      expect(contentOf(folder)).not.toEqual(before)
    },
  )
})

describe('a question', () => {
  it.each(names.filter(isQuestion))('is answered in another thread as here: %s', async (name) => {
    const { known, folder, host: here } = shared
    const given = examples[name](known)
    expect(await callByName(threaded(folder), name, given)).toEqual(await callByName(here, name, given))
  })
})

let inThread: Host | null = null
/** The same workspace, with questions answered in another thread. */
function threaded(folder: string): Host {
  if (inThread) return inThread
  const host = openHost({ workspace: folder, startReader, openQueue: openQueueOfPage })
  open.push(host)
  inThread = host
  return host
}

/** What is no value of any argument. */
const WRONG = [{ wrong: true }, [{}], 0.5]
/** Where anything may stand: JSON of the study, of the page, and how long a step took. */
const FREE =
  /^(alikeRuns\.0|beginRun\.0\.(spec|environment)|(recordDesign|standingOf)\.0\.variants\.\d+\.settings|writeOutput\.1\.output|readSeries\.3|readBands\.3|readCurves\.0\.range|keepWall\.1\.smoothing|recordExport\.1\.difference|keepReadout\.1\.(value|meaning)|keepFloors\.1\.models\.\d+\.values\.|record\.1\.\d+\.(ms|value|meaning|series\.\d+\.(values|meaning)|report|weights\.w|gradients\.w)|callWith\.2|admitRuns\.0\.\d+\.spec)/

/** Copies of a value with one of its parts wrong, each by the path of that part. */
function spoilt(value: unknown, path: string): [path: string, value: unknown][] {
  const whole = WRONG.map((wrong): [string, unknown] => [path, wrong])
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return whole
  const parts = Object.entries(value).flatMap(([part, inner]) =>
    spoilt(inner, `${path}.${part}`).map(([at, wrong]): [string, unknown] => {
      const copy = Array.isArray(value) ? value.with(Number(part), wrong) : { ...value, [part]: wrong }
      return [at, copy]
    }),
  )
  return [...whole, ...parts]
}

describe('what a call is given', () => {
  it.each(names)('is refused before anything happens, by the name of call and argument: %s', async (name) => {
    const { host, known, folder } = shared
    const before = contentOf(folder)
    const given: unknown[] = examples[name](known)
    const { takes } = hostCalls[name]
    const refused = (wrong: unknown[], path: string) =>
      expect(callByName(host, name, wrong), JSON.stringify(wrong)).rejects.toMatchObject({
        code: 'option',
        path: expect.stringMatching(`^${path}(\\.|$)`),
      })
    await refused([...given, ...takes.slice(given.length).map(() => undefined), 1], name)
    if (takes[0] && !takes[0][1].safeParse(undefined).success) await refused([], `${name}.${takes[0][0]}`)
    for (const [place, [argument]] of takes.entries()) {
      for (const [path, wrong] of spoilt(given[place], `${name}.${place}`)) {
        if (!FREE.test(path)) await refused(given.with(place, wrong), `${name}.${argument}`)
      }
    }
    expect(contentOf(folder)).toEqual(before)
  })

  it('may be any kind of event', async () => {
    const { host, known } = await prepared()
    const { done, failed, ...others } = events
    for (const event of [...Object.values(others), done]) await host.record(known.interrupted, [event])
    await host.record(known.running, [failed])
  })

  it('names what is allowed', async () => {
    const { host } = shared
    await expect(callByName(host, 'readSeries', [['1'], 'loss'])).rejects.toThrow(
      "readSeries.ids.0: '1', expected a number",
    )
    await expect(callByName(host, 'listRuns', [{ stauts: 'done' }])).rejects.toThrow("(did you mean 'status'?)")
  })
})

/** Numbers from 0 to 1, the same each time. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Any JSON, bytes and numbers that JSON has not, and what is deep or long. */
function anyValue(random: () => number, depth = 0): unknown {
  const pick = <Each>(values: Each[]) => values[Math.floor(random() * values.length)] as Each
  const several = () => Array.from({ length: Math.floor(random() * 4) }, () => anyValue(random, depth + 1))
  const names = ['id', 'key', 'cell', 'cells', 'spec', 'type', 'step', 'filter', '__proto__', 'constructor', '']
  const kind = Math.floor(random() * (depth > 3 ? 5 : 8))
  if (kind === 0) return pick([null, true, false, undefined])
  if (kind === 1) return pick([0, 1, -1, 0.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
  if (kind === 2) return pick(['', 'a', '../..', 'a'.repeat(2 ** 16), '\u0000', "' or 1=1 --", 'done'])
  if (kind === 3) return new Uint8Array(Math.floor(random() * 40)).map(() => random() * 256)
  if (kind === 4) return pick([deep, {}, []])
  if (kind === 5) return several()
  return Object.fromEntries(several().map((value) => [pick(names), value]))
}

const deep = Array.from({ length: 20_000 }).reduce((inner) => ({ model: inner }), {})

describe('any values at all', () => {
  it.each(names.filter((name) => !HELD.includes(name)))(
    'are refused or answered, and change nothing: %s',
    async (name) => {
      const { host, known, folder } = shared
      const before = contentOf(folder)
      const random = seeded(name.length)
      for (let time = 0; time < 60; time++) {
        const given: unknown[] = examples[name](known)
        const values = time % 2 === 0 ? given.map(() => anyValue(random)) : [anyValue(random), ...given.slice(1)]
        if (given.length === 0) continue
        const allowed = isAllowed(name, values)
        if (allowed && (WRITING.includes(name) || !hostCalls[name].repeatable([]))) continue
        for (const call of [
          () => callByName(host, name, values),
          () => host.callWith(known.capability, name, values),
        ]) {
          const error = await Promise.resolve(call()).then(
            () => null,
            (thrown) => thrown,
          )
          if (error !== null || !allowed) expect(error, name).toBeInstanceOf(MixlabError)
        }
      }
      expect(contentOf(folder)).toEqual(before)
    },
  )

  it('are refused in the spec of a run', async () => {
    const { host, known } = shared
    const random = seeded(1)
    for (let time = 0; time < 100; time++) {
      const spec =
        time === 0 ? { ...FULL_SPEC, model: { ...FULL_SPEC.model, deep } } : { ...FULL_SPEC, model: anyValue(random) }
      const call = host.callWith(known.capability, 'admitRuns', [[{ ...planned, spec }]])
      await expect(call).rejects.toThrow(MixlabError)
    }
  })
})

const FULL_SPEC = {
  ...{ numerics: 4, data: '', model: { block: 'a', code: 'built in' }, train: {}, seed: 0 },
  task: { task: 'image', options: {} },
}

/** Whether the values are what a call takes: then it may answer, e.g. that there is nothing. */
function isAllowed(name: Name, values: unknown[]): boolean {
  return hostCalls[name].takes.every(([, schema], place) => schema.safeParse(values[place]).success)
}

it('the kernel may ask for data files and for what training needs of the store, and for nothing else', () => {
  const training = [
    'findDone',
    'findResumable',
    'lookAt',
    'doubtRuns',
    'recordDesign',
    'standingOf',
    'earlierDesigns',
    'showReadouts',
    'keepReadout',
    'findFloors',
    'keepFloors',
    'beginRun',
    'readState',
    'record',
    'readSeries',
    'readWeights',
    'admitRuns',
  ]
  expect(Object.keys(kernelCalls)).toEqual(['list', 'read', 'lookAtPictures', 'decodePictures', ...training])
})
