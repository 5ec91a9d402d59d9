// `npm run queue:faults`: 100 runs on 4 workers, of which 10 are killed and 3 stopped for longer than their lock, with a
// server that is killed twice and once full, and two owners, of which one is killed and one stopped; compared with the same runs of one process.
import { isDeepStrictEqual } from 'node:util'
import { skipLine } from './server.ts'
import { runTrial } from './trial.ts'

/** Bytes that the server may hold: 3 MB by itself, and 0.25 MB of each of 100 runs that the workspace has not taken yet: twice that. */
const MOST_BYTES = 56 * 2 ** 20

if (!skipLine()) {
  const [, , seed = '1'] = process.argv
  const faults = { kill: 10, stop: 3, server: 2, full: 1, owner: 1, pause: 1 }
  const trial = {
    seeds: 50,
    steps: 400, // so that no machine is done before the last fault
    workers: 4,
    owners: 2,
    faults,
    seed: Number(seed),
    say: (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
  }
  const { queued, local, memory, stood, made, left, exit, seconds } = await runTrial(trial)
  const same = queued.filter((run, i) => isDeepStrictEqual(run, local[i])).length
  console.log(
    `${queued.length} runs in the store, ${same} of ${local.length} as those of one process, exit code ${exit}`,
  )
  console.log(`faults: ${made.join(', ')}`)
  console.log(`${Math.round(seconds)} s; no run stood longer than ${(stood / 1000).toFixed(1)} s`)
  console.log(
    `the server held ${(memory / 2 ** 20).toFixed(1)} MB at most, of ${MOST_BYTES / 2 ** 20} that it may; left in it: ${left.join(', ') || 'nothing'}`,
  )
  const whole = made.length === 18 && queued.length === 100 && same === 100 && exit === 0
  const held = whole && stood < 30_000 && memory < MOST_BYTES && left.length === 0
  console.log(held ? 'held' : 'NOT held')
  process.exitCode = held ? 0 : 1
}
