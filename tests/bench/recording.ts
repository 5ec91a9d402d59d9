import { mkdtempSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { hostForConnection } from '../../app/connection.ts'
import { openHost } from '../../app/host.ts'
import { openStore } from '../../app/store/index.ts'
import { threadChannel } from '../../app/store/readers/reader.ts'
import { openWorkspace } from '../../app/workspace/index.ts'
import { medianAndLeast } from '../../engine/bench/times.ts'
import { connect } from '../../engine/channel.ts'
import type { Host } from '../../engine/host.ts'
import type { TrainEvent } from '../../engine/records/events.ts'
import { recordEvents } from '../../engine/study/recordEvents.ts'
import { metricEvents, sampleRun } from '../app/store/samples.ts'
import { METRICS } from './generated.ts'

// What recording takes of training: a thread makes the steps of 32 runs at a time, each with 10 metrics, and hands its
// events to a host in this thread, as the kernel of a page does; in turns with a host that keeps nothing. And what batches
// of 32 runs take that are written together, in turns with one by one.
//   node tests/bench/recording.ts

const RUNS = 32
const STEPS = 100
const ROUNDS = 5
/** Milliseconds of work in a step: of a model that does nothing, and of a small one. */
const STEPS_MS = [0.2, 2]

const median = (all: number[]) => medianAndLeast(all)[0]

/** What a round took the thread that trains, in ms: by the clock, and of its processor. */
interface Round {
  clock: number
  processor: number
}

async function* train(ms: number): AsyncGenerator<TrainEvent> {
  yield { type: 'start', steps: STEPS, parameters: 1 }
  for (let step = 1; step <= STEPS; step++) {
    for (const until = performance.now() + ms; performance.now() < until; );
    await turn()
    yield { type: 'step', step, ms }
    for (const name of METRICS) yield { type: 'metric', step, name, value: step }
  }
  yield { type: 'done', step: STEPS }
}

async function trainRound(host: Host, ms: number, kept: boolean, round: number): Promise<Round> {
  const nothing = async () => ({ ms: 0, stop: false })
  const runs = kept ? host : { ...host, record: nothing }
  const begun = await Promise.all(
    Array.from({ length: RUNS }, (_, i) => host.beginRun(sampleRun({ key: `${ms} ${kept} ${round} ${i}` }))),
  )
  const [clock, used] = [performance.now(), process.threadCpuUsage()]
  await Promise.all(
    begun.map(async (run) => {
      if (!run) throw new Error('the run is there already')
      for await (const _ of recordEvents(run, train(ms), { runs, stop: () => {} }));
    }),
  )
  const { user, system } = process.threadCpuUsage(used)
  return { clock: performance.now() - clock, processor: (user + system) / 1000 }
}

const freshWorkspace = () => mkdtempSync(join(tmpdir(), 'mixlab-recording-'))

async function trainBeside(stepMs: number): Promise<void> {
  const host = openHost({ workspace: freshWorkspace() })
  const thread = new Worker(import.meta.filename)
  const calls = hostForConnection(host).host
  const { remote } = connect<{ round: (ms: number, kept: boolean, round: number) => Round }>(
    calls,
    threadChannel(thread),
  )
  const kept: Round[] = []
  const ratios: Record<keyof Round, number[]> = { clock: [], processor: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    const [withIt, without] = [await remote.round(stepMs, true, round), await remote.round(stepMs, false, round)]
    if (round === 0) continue
    kept.push(withIt)
    for (const time of ['clock', 'processor'] as const) ratios[time].push(withIt[time] / without[time])
  }
  const ms = median(kept.map(({ clock }) => clock))
  console.log(
    `${RUNS} runs of ${STEPS} steps of ${stepMs} ms: ${((RUNS * STEPS * 1000) / ms).toFixed(0)} steps a second, recorded`,
  )
  for (const [time, each] of Object.entries(ratios)) {
    const all = each.map((ratio) => ratio.toFixed(3)).join(' ')
    console.log(`  ${time.padEnd(10)} with recording over without: ${median(each).toFixed(3)} (${all})`)
  }
  await thread.terminate()
  host.close()
}

function writeTogether(): void {
  const store = openStore(openWorkspace(freshWorkspace()))
  const ids = Array.from({ length: RUNS }, (_, i) => store.beginRun(sampleRun({ key: `${i}` }))?.id ?? 0)
  const took = { alone: [] as number[], together: [] as number[] }
  const used = { alone: [] as number[], together: [] as number[] }
  for (let round = 0; round < 4 * ROUNDS; round++) {
    const way = round % 2 === 0 ? 'alone' : 'together'
    const batches = ids.map((id): [number, TrainEvent[]] => [
      id,
      METRICS.flatMap((name) => metricEvents(name, 25 * round, 25 * round + 25)),
    ])
    const [begun, before] = [performance.now(), process.threadCpuUsage()]
    if (way === 'together') for (const recorded of store.recordTogether(batches)) recorded()
    else for (const [id, events] of batches) store.record(id, events)
    const { user, system } = process.threadCpuUsage(before)
    took[way].push(performance.now() - begun)
    used[way].push((user + system) / 1000)
  }
  store.close()
  const ratio = (each: typeof took) => (median(each.together) / median(each.alone)).toFixed(2)
  console.log(`a batch of each of ${RUNS} runs, 25 steps of 10 metrics: one by one ${median(took.alone).toFixed(0)} ms, \
together ${median(took.together).toFixed(0)}, ratio ${ratio(took)}; of the processor ${median(used.alone).toFixed(0)} and \
${median(used.together).toFixed(0)} ms, ratio ${ratio(used)}`)
}

if (isMainThread) {
  console.log(
    `${availableParallelism()} cores, load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
  writeTogether()
  for (const ms of STEPS_MS) await trainBeside(ms)
} else if (parentPort) {
  const { remote } = connect<Host>(
    { round: (...given: [ms: number, kept: boolean, round: number]) => trainRound(host, ...given) },
    threadChannel(parentPort),
  )
  const host = remote
}
