import { parseArgs } from 'node:util'
import BetterSqlite3 from 'better-sqlite3'
import { useBackend as startBackend } from '../../app/backends.ts'
import { openWorkspace } from '../../app/workspace/index.ts'
import { medianAndLeast } from '../../engine/bench/times.ts'
import { gmlp, image, shapes } from '../../engine/index.ts'
import { createModel } from '../../engine/nn/model.ts'
import { resolveSize } from '../../engine/nn/size.ts'
import type { TrainEvent } from '../../engine/records/events.ts'
import { kindOf } from '../../engine/tasks/index.ts'
import { resolveRecipe } from '../../engine/train/recipe.ts'
import { train } from '../../engine/train/train.ts'
import { begun, freshFolder, sampleRun, storeAt } from '../app/store/samples.ts'

// What it costs to keep histograms, norms of gradients and updates, and snapshots, in processor time of training and
// store, by many short trainings with and without in turns, on one thread. What else the machine does slows single ones, so
// the median of the ratios decides, with its interval:
//   npm run bench:inside -- --rounds 25 --steps 40

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '25' }, steps: { type: 'string', default: '40' } },
})
await startBackend('simd', 1)

const spec = image({ data: shapes({ size: 32, train: 2000, test: 100 }) })
const kind = kindOf(spec)
const task = await kind.open(kind.resolve(spec.options), { readText: fail, readBytes: fail } as never)
const folder = freshFolder()
const store = storeAt(folder)
const database = new BetterSqlite3(openWorkspace(folder).database, { readonly: true })

function fail(): never {
  throw new Error('shapes are made, not read')
}

interface Trained {
  /** Milliseconds of processor time of training and store. */
  ms: number
  /** Of the histograms with the norms, in the store. */
  bytes: number
}

let runs = 0

/** Trains a gMLP 64x6 and keeps what comes of it. */
async function trained(name: string, kept: { histograms: boolean; snapshots: number }): Promise<Trained> {
  const steps = Number(values.steps)
  const recipe = resolveRecipe({ steps, batch: 32, evalExamples: 128, testExamples: 32, ...kept })
  const block = gmlp({ patch: 4, dim: 64, ffn: 256, depth: 6 })
  const model = createModel(task.model(block, resolveSize(block, {}, name)), task.input, 1)
  const id = begun(store.beginRun(sampleRun({ key: String(++runs).padStart(64, '0'), variant: name })))
  const before = process.cpuUsage()
  let held: TrainEvent[] = []
  const flush = () => {
    store.record(id, held)
    held = []
  }
  for await (const event of train({ model, task, recipe, seed: 1 })) {
    held.push(event)
    if (event.type !== 'step' && event.type !== 'metric') flush()
  }
  const { user, system } = process.cpuUsage(before)
  model.dispose()
  const bytes = database.prepare('select coalesce(sum(length(data)), 0) as sum from histogram where run = ?').get(id)
  return { ms: (user + system) / 1000, bytes: (bytes as { sum: number }).sum }
}

const median = (all: number[]) => medianAndLeast(all)[0]
/** The 95% interval of a median, from the smallest to the largest of few. */
function medianInterval(all: number[]): [number, number] {
  const sorted = all.toSorted((a, b) => a - b)
  const beside = 0.98 * Math.sqrt(sorted.length)
  const at = (place: number) => sorted[Math.min(sorted.length - 1, Math.max(0, place))] ?? Number.NaN
  return [at(Math.floor(sorted.length / 2 - beside)), at(Math.ceil(sorted.length / 2 + beside))]
}
const WAYS = {
  nothing: { histograms: false, snapshots: 0 },
  'histograms and norms': { histograms: true, snapshots: 0 },
  'and 8 snapshots': { histograms: true, snapshots: 8 },
}

const times: Record<string, Trained[]> = Object.fromEntries(Object.keys(WAYS).map((name) => [name, []]))
await trained('warm', WAYS['and 8 snapshots'])
for (let round = 0; round < Number(values.rounds); round++) {
  const order = round % 2 === 0 ? Object.entries(WAYS) : Object.entries(WAYS).toReversed()
  for (const [name, kept] of order) times[name]?.push(await trained(name, kept))
}
const plain = times.nothing?.map(({ ms }) => ms) ?? []
for (const [name, all] of Object.entries(times)) {
  const ratios = all.map(({ ms }, i) => ms / (plain[i] ?? Number.NaN))
  const interval = medianInterval(ratios).map((ratio) => ratio.toFixed(3))
  console.log(
    `${name}: ${median(all.map(({ ms }) => ms)).toFixed(0)} ms, ${median(ratios).toFixed(3)} times (95% interval ${interval.join(' to ')}), ${all[0]?.bytes} bytes of histograms`,
  )
}
database.close()
store.close()
