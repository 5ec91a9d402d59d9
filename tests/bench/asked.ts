import { setTimeout as pause } from 'node:timers/promises'
import { hostForConnection } from '../../app/connection.ts'
import type { LocalHost } from '../../app/host.ts'
import { connect } from '../../engine/channel.ts'
import type { Host } from '../../engine/host.ts'
import type { RunsQuery } from '../../engine/runs/types.ts'
import { metricEvents, sampleRun } from '../app/store/samples.ts'
import { METRICS } from './generated.ts'

/** Times that each question is asked; medians and the longest wait of a record are shown. */
export const ROUNDS = 5
/** Milliseconds between two records. */
const EVERY = 10

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

/** Records a batch of points every `EVERY` ms until `end` is called, which returns the longest that one waited, in ms. */
async function recordBeside(host: LocalHost, variant: string) {
  const { host: page } = hostForConnection(host)
  const begun = await page.beginRun(sampleRun({ variant, key: `${variant} ${Date.now()}` }))
  if (!begun) throw new Error('the run is there already')
  const { id, epoch } = begun
  let [longest, open] = [0, true]
  async function recordAll(): Promise<void> {
    for (let [batch, due] = [1, performance.now()]; open; batch++, due = Math.max(due + EVERY, performance.now())) {
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
const ids = Array.from({ length: 1000 }, (_, i) => i + 1)
const curves = { filter: '', by: ['variant'], x: 'step' as const, logX: false, lines: [], buckets: 500 }

export type Ask = (remote: Host) => Promise<unknown>
export const questions: [name: string, ask: Ask][] = [
  ['none', (host) => host.describe()],
  ['first rows', (host) => host.queryRuns(query({}))],
  ['sorted by best accuracy', (host) => host.queryRuns(query(byAccuracy))],
  ['by variant, sorted by best accuracy', (host) => host.groupRuns(query(byAccuracy))],
  ['rows 50,001 to 55,000, as a CSV file asks', (host) => host.queryRuns(query({ offset: 50_000, limit: 5000 }))],
  ['bands of 1,000 runs x 10 metrics', (host) => host.readBands([{ name: '', runs: ids }], METRICS)],
  ['curves of 5,000 runs', (host) => host.readCurves({ ...curves, metric: 'train/loss' })],
]

/**
 * In ms: the median of the times that a question takes, the processor time of all threads for it and that of the thread that
 * writes (the least of each), and the longest wait of a record beside it.
 */
export async function measure(
  host: LocalHost,
  ask: Ask,
): Promise<{ ms: number; used: number; busy: number; waited: number }> {
  const page = pageOf(host)
  await page(ask)
  const times: number[] = []
  const used: number[] = []
  const busy: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [begun, all, own] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()]
    await page(ask)
    times.push(performance.now() - begun)
    used.push(inMs(process.cpuUsage(all)))
    busy.push(inMs(process.threadCpuUsage(own)))
  }
  const records = await recordBeside(host, 'beside')
  for (let round = 0; round < ROUNDS; round++) {
    await pause(5 * EVERY)
    await page(ask)
  }
  const waited = await records.end()
  const ms = times.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0
  return { ms, used: Math.min(...used), busy: Math.min(...busy), waited }
}

const inMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
