import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHost } from '../../app/host.ts'
import { startReader } from '../../app/store/index.ts'
import { measure, questions, ROUNDS } from './asked.ts'
import { fillStore, POINTS, RUNS, WITH_POINTS } from './filled.ts'

// What the store promises under load, each figure beside its bound, with the load of the machine: fills a workspace of its
// own with 100,000 runs and 10 M points, asks it, and then does bench:recording. Some minutes on a quiet machine:
//   node tests/bench/load.ts [DIR], a folder that it has filled before

const load = () =>
  `load ${loadavg()
    .map((each) => each.toFixed(1))
    .join(' ')}`
const [, , given] = process.argv
const folder = given ?? mkdtempSync(join(tmpdir(), 'mixlab-load-'))
if (!given) fillStore(folder)

/** Asks a question of asked.ts by its name. */
async function ask(name: string) {
  const question = questions.find(([known]) => known === name)
  if (!question) throw new Error(`no question is called '${name}'`)
  const host = openHost({ workspace: folder, startReader })
  const found = await measure(host, question[1])
  host.close()
  return found
}
const shown = (ms: number) => `${ms.toFixed(0)} ms`

console.log(
  `${availableParallelism()} cores, ${load()}; ${RUNS} runs, of which ${WITH_POINTS} have ${POINTS} points of 10 metrics`,
)
const none = await ask('none')
const rows = await ask('first rows')
const chart = await ask('bands of 1,000 runs x 10 metrics')
console.log(`first rows: ${shown(rows.ms)} (median of ${ROUNDS}; under 100), ${shown(rows.used)} of the processor`)
console.log(`chart of 10 M points: ${shown(chart.ms)} (under 500), ${shown(chart.used)} of the processor`)
console.log(
  `longest wait of a record beside that chart: ${shown(chart.waited)} (under 50); beside first rows ${shown(rows.waited)}, beside no question ${shown(none.waited)}; the chart keeps the thread that writes busy for ${chart.busy.toFixed(1)} ms`,
)
if (!given) rmSync(folder, { recursive: true, force: true })
console.log(load())
spawnSync(process.execPath, [join(import.meta.dirname, 'recording.ts')], { stdio: 'inherit' })
console.log(load())
