import { mkdirSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openStore } from '../../app/store/index.ts'
import { openWorkspace } from '../../app/workspace/index.ts'
import type { TrainEvent } from '../../engine/records/events.ts'
import { EVERY, eventsOf, type GeneratedRun, generatedRuns, METRICS } from './generated.ts'

// Fills a new workspace with generated runs through the calls that studies use, and says how fast:
//   node tests/bench/store.ts --runs 30000 --points 100000000 --out DIR

/** Runs that are trained at the same time, and points of each metric between two writes of a run. */
const AT_ONCE = 8
const PER_WRITE = 100

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    points: { type: 'string', default: '1000000' },
    out: { type: 'string' },
  },
})
if (!values.out) throw new Error('--out: the folder of the new workspace is missing')
mkdirSync(values.out)
const workspace = openWorkspace(values.out)
const store = openStore(workspace)

let [points, runs, writing, longest] = [0, 0, 0, 0]

function timed<Result>(call: () => Result): Result {
  const begun = performance.now()
  const result = call()
  const took = performance.now() - begun
  writing += took
  longest = Math.max(longest, took)
  return result
}

function begin({ start, points }: GeneratedRun): number {
  const id = timed(() => store.beginRun(start))?.id
  if (id === undefined) throw new Error(`${start.study}/${start.variant}/${start.seed} is there already`)
  timed(() => store.record(id, [{ type: 'start', steps: points * EVERY, parameters: 1_000_000 }]))
  return id
}

function end(id: number, { points, ending }: GeneratedRun): void {
  const step = points * EVERY
  const event: TrainEvent =
    ending === 'failed' ? { type: ending, step, message: 'the loss is NaN' } : { type: ending, step }
  timed(() => store.record(id, [event]))
  if (id % 7 === 0) timed(() => store.tagRuns([id], ['keep'], []))
}

function train(together: GeneratedRun[]): void {
  const training = together.map((run) => ({ id: begin(run), run }))
  const most = Math.max(...together.map((run) => run.points))
  for (let from = 0; from < most; from += PER_WRITE) {
    const batches = training.map(({ id, run }): [number, TrainEvent[]] => [
      id,
      eventsOf(run, from, Math.min(run.points, from + PER_WRITE)),
    ])
    for (const recorded of timed(() => store.recordTogether(batches))) recorded()
    points += batches.reduce((sum, [, events]) => sum + events.length, 0)
  }
  for (const { id, run } of training) end(id, run)
  runs += together.length
}

const begun = performance.now()
let said = begun
let together: GeneratedRun[] = []
for (const run of generatedRuns(Number(values.runs), Number(values.points))) {
  // A long run is not trained beside short ones: they would wait for it.
  if (together.length === AT_ONCE || (together[0] && together[0].points !== run.points)) {
    train(together)
    together = []
    if (performance.now() - said > 10_000) {
      said = performance.now()
      console.log(`${runs} runs, ${points} points, ${Math.round((1000 * points) / writing)} points/s`)
    }
  }
  together.push(run)
}
train(together)
store.close()

const seconds = (ms: number) => (ms / 1000).toFixed(1)
const rate = Math.round((1000 * points) / writing)
const { user, system } = process.cpuUsage()
const bytes = statSync(workspace.database).size
console.log(`${runs} runs with ${METRICS.length} metrics each, ${points} points, ${(bytes / 1e6).toFixed(0)} MB
${seconds(writing)} s in the store's calls, the longest ${longest.toFixed(0)} ms: ${rate} points/s
${seconds(performance.now() - begun)} s in all, with making the points up; ${seconds((user + system) / 1000)} s of a processor`)
