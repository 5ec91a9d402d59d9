import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { hostForConnection } from '../../app/connection.ts'
import { type LocalHost, openHost } from '../../app/host.ts'
import { startReader } from '../../app/store/index.ts'
import { medianAndLeast } from '../../engine/bench/times.ts'
import { connect } from '../../engine/channel.ts'
import type { Host } from '../../engine/host.ts'
import type { RunsQuery } from '../../engine/runs/types.ts'
import { metricEvents, sampleRun } from '../app/store/samples.ts'
import { fillStore, POINTS, RUNS, WITH_POINTS } from './filled.ts'
import { EVERY, METRICS } from './generated.ts'

// What questions to a store take, and how long a record waits beside each, as the server has both: calls come in and answers
// go out as the bytes of messages, by the thread that writes or by one that reads. Where something is promised, its bound
// stands beside it. Fills a workspace of its own with 100,000 runs and 10 M points, or takes one that it or store.ts filled,
// and then does bench:recording. Words choose questions. Some minutes on a quiet machine:
//   npm run bench:load -- [--in DIR] [WORDS]

/** Times that each question is asked. */
const ROUNDS = 5
/** Milliseconds between two records. */
const RECORDED_EVERY = 10

const { values, positionals } = parseArgs({ options: { in: { type: 'string' } }, allowPositionals: true })
const folder = values.in ?? mkdtempSync(join(tmpdir(), 'mixlab-load-'))
if (values.in === undefined) fillStore(folder)

/** A way to a host that makes one call at a time; the answer is not unpacked, for the page does that. */
function pageOf(host: Host) {
  let answered = (_: Uint8Array) => {}
  let arrive = (_: Uint8Array) => {}
  connect(hostForConnection(host).host, {
    post: (bytes) => answered(bytes),
    listen: (receive) => {
      arrive = receive
    },
  })
  const { remote } = connect<Host>({}, { post: (bytes) => arrive(bytes), listen: () => {} })
  return async (call: (remote: Host) => Promise<unknown>): Promise<number> => {
    const answer = Promise.withResolvers<Uint8Array>()
    answered = answer.resolve
    void call(remote)
    return (await answer.promise).length
  }
}

/** Records a batch of points every `RECORDED_EVERY` ms until `end` is called, which returns the longest that one waited, in ms. */
async function recordBeside(host: LocalHost, variant: string) {
  const { host: page } = hostForConnection(host)
  const begun = await page.beginRun(sampleRun({ variant, key: `${variant} ${Date.now()}` }))
  if (!begun) throw new Error('the run is there already')
  const { id, epoch } = begun
  let [longest, open] = [0, true]
  async function recordAll(): Promise<void> {
    for (
      let [batch, due] = [1, performance.now()];
      open;
      batch++, due = Math.max(due + RECORDED_EVERY, performance.now())
    ) {
      await pause(Math.max(0, due - performance.now()))
      await page.record(id, metricEvents('loss', 10 * batch, 10 * batch + 10), { epoch, batch: 10 * batch })
      longest = Math.max(longest, performance.now() - due)
    }
  }
  const recording = recordAll()
  return {
    async end(): Promise<number> {
      open = false
      await recording
      await page.record(id, [{ type: 'interrupted', step: 0 }], { epoch })
      return longest
    },
  }
}

const query = (changes: Partial<RunsQuery>): RunsQuery => ({
  ...{ filter: '', sort: [{ column: 'id', descending: true }], offset: 0, limit: 100 },
  columns: ['study', 'variant', 'seed', 'status', 'lr', 'test/accuracy', 'best:test/accuracy', 'train/loss'],
  ...changes,
})
const byAccuracy = { sort: [{ column: 'best:test/accuracy', descending: true }] }
const byRate = { sort: [{ column: 'lr', descending: false }] }
const ids = Array.from({ length: WITH_POINTS }, (_, i) => i + 1)
const long = ids.slice(0, 100)
const groups = long.flatMap((id) => (id % 10 === 1 ? [{ name: `${id}`, runs: long.slice(id - 1, id + 9) }] : []))
const curves = { filter: '', by: ['variant'], x: 'step' as const, logX: false, lines: [], buckets: 500 }
/** A part of the steps of the first run, in their middle. */
const part = (last: number, share: number): [number, number] => [
  Math.floor((last * (1 - share)) / 2),
  Math.ceil((last * (1 + share)) / 2),
]

/** The most ms that is promised of a question, and of a record beside it, where something is. */
interface Promised {
  takes?: number
  waits?: number
}

type Ask = (remote: Host) => Promise<unknown>

/** The questions, of which some look at a part of the `last` steps. */
const questions = (last: number): [name: string, ask: Ask, promised?: Promised][] => [
  ['none', (host) => host.describe()],
  ['runs: first rows', (host) => host.queryRuns(query({})), { takes: 100 }],
  ['runs: sorted by best accuracy', (host) => host.queryRuns(query(byAccuracy))],
  ['runs: sorted by an option', (host) => host.queryRuns(query(byRate))],
  ['runs: rows 20,000 and on, sorted', (host) => host.queryRuns(query({ ...byAccuracy, offset: 20_000 }))],
  ['runs: rows 50,001 to 55,000, as a CSV file asks', (host) => host.queryRuns(query({ offset: 50_000, limit: 5000 }))],
  ...['task:mlm lr<1e-3 tag:keep', 'test/accuracy>0.5', 'gmlp', 'archived:yes'].map((filter): [string, Ask] => [
    `runs: ${filter}`,
    (host) => host.queryRuns(query({ ...byAccuracy, filter })),
  ]),
  ['groups: first rows', (host) => host.groupRuns(query({}))],
  ['groups: sorted by best accuracy', (host) => host.groupRuns(query(byAccuracy))],
  ['groups: of a task', (host) => host.groupRuns(query({ filter: 'task:mlm' }))],
  ...[1, 0.1, 0.01].map((share): [string, Ask] => [
    `series: 20 runs, ${share} of it`,
    (host) => host.readSeries(long.slice(0, 20), 'train/loss', 1000, share < 1 ? part(last, share) : undefined),
  ]),
  [
    'series: 100 short runs',
    (host) =>
      host.readSeries(
        long.map((id) => id + WITH_POINTS),
        'train/loss',
      ),
  ],
  ['bands: 100 runs x 10 metrics', (host) => host.readBands([{ name: '', runs: long }], METRICS)],
  [
    'bands: 100 runs x 10 metrics, a tenth',
    (host) => host.readBands([{ name: '', runs: long }], METRICS, 500, part(last, 0.1)),
  ],
  ['bands: 10 groups x 10 metrics', (host) => host.readBands(groups, METRICS)],
  [
    'bands: 1,000 runs x 10 metrics',
    (host) => host.readBands([{ name: '', runs: ids }], METRICS),
    { takes: 500, waits: 50 },
  ],
  ['curves: 5,000 runs', (host) => host.readCurves({ ...curves, metric: 'train/loss' })],
]

/**
 * Milliseconds: the first time that a question takes and the median of more, the processor time of all threads for it and
 * that of the thread that writes (the least of each), and the longest wait of a record beside it; and bytes of the answer.
 */
async function measure(host: LocalHost, ask: Ask) {
  const page = pageOf(host)
  const begun = performance.now()
  const bytes = await page(ask)
  const first = performance.now() - begun
  const rounds: { ms: number; used: number; busy: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [begun, all, own] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()]
    await page(ask)
    const ms = performance.now() - begun
    rounds.push({ ms, used: inMs(process.cpuUsage(all)), busy: inMs(process.threadCpuUsage(own)) })
  }
  const records = await recordBeside(host, 'beside')
  for (let round = 0; round < ROUNDS; round++) {
    await pause(5 * RECORDED_EVERY)
    await page(ask)
  }
  const least = (of: 'used' | 'busy') => Math.min(...rounds.map((round) => round[of]))
  const [ms] = medianAndLeast(rounds.map((round) => round.ms))
  return { first, takes: ms, used: least('used'), busy: least('busy'), waits: await records.end(), bytes }
}

const inMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000

const load = () =>
  `load ${loadavg()
    .map((each) => each.toFixed(1))
    .join(' ')}`
const hosts = Object.entries({ 'in a thread': { startReader }, here: {} }).map(
  ([name, options]) => [name, openHost({ workspace: folder, ...options })] as const,
)
const [[, host]] = hosts as [(typeof hosts)[number]]
const [series] = await host.readSeries([1], METRICS[0] ?? '', 2)
const size = values.in ?? `${RUNS} runs, of which ${WITH_POINTS} have ${POINTS} points of 10 metrics`
console.log(`${availableParallelism()} cores, ${load()}; ${size}; ms, medians of ${ROUNDS}, in turns`)
const COLUMNS = ['first', 'takes', 'used', 'busy', 'waits'] as const
console.log(`${''.padEnd(62)}${COLUMNS.map((name) => name.padStart(8)).join('')}      kB`)
const asked = questions(series?.steps.at(-1) ?? EVERY)
for (const [name, ask, promised = {}] of asked.filter(([name]) => positionals.every((word) => name.includes(word)))) {
  for (const [place, host] of hosts) {
    const found = await measure(host, ask)
    const bounds = (['takes', 'waits'] as const).flatMap((of) => (promised[of] ? [`${of} under ${promised[of]}`] : []))
    const shown = COLUMNS.map((of) => found[of].toFixed(1).padStart(8)).join('')
    console.log(
      `${`${name}, ${place}`.padEnd(62)}${shown}${(found.bytes / 1000).toFixed(0).padStart(8)} ${bounds.join(', ')}`,
    )
  }
}
for (const [, host] of hosts) host.close()
if (values.in === undefined) rmSync(folder, { recursive: true, force: true })
if (positionals.length === 0)
  spawnSync(process.execPath, [join(import.meta.dirname, 'recording.ts')], { stdio: 'inherit' })
console.log(load())
