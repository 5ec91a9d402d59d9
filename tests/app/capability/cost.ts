// What a capability costs: batches of events as a run of the first notebook sends them, with and without one, in turns.
// `node tests/app/capability/cost.ts`
import { readFileSync } from 'node:fs'
import { analyze } from '../../../engine/notebook/graph.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { NUMERICS } from '../../../engine/records/numerics.ts'
import type { Recorded, RunStart } from '../../../engine/records/run.ts'
import { BUILT_IN, keyOfRun } from '../../../engine/study/key.ts'
import { writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { freshHost, pageOf } from './notebooks.ts'

const ROUNDS = 200
const STEPS = 12 // in a quarter of a second

const text = readFileSync(new URL('../../../experiments/first-comparison.ts', import.meta.url), 'utf8')
const cells = parseNotebook(text).flatMap((cell) => (cell.kind === 'code' ? [{ ...cell, kind: cell.kind }] : []))
const host = freshHost()
const page = pageOf(host)

function runOf(seed: number): RunStart {
  const model = { block: 'gmlp', code: BUILT_IN, dim: 64, depth: 4 }
  const spec = {
    numerics: NUMERICS,
    data: 'a'.repeat(64),
    model,
    train: { steps: 250 },
    seed,
    task: { task: 'image', options: {} },
  }
  const names = { key: keyOfRun(spec), study: 's', variant: 'gmlp', seed }
  return { ...names, from: undefined, spec, code: '', backend: 'simd', device: 'a processor' }
}

const tensor = (count: number) => writeSafetensors([{ name: 'w', shape: [count], values: new Float32Array(count) }])
const [weights, state] = [tensor(100_000), tensor(300_000)]

/** The events of a quarter of a second; the last of twenty has a checkpoint. */
function batch(round: number): TrainEvent[] {
  const steps = Array.from({ length: STEPS }, (_, i) => round * STEPS + i)
  const events = steps.flatMap((step): TrainEvent[] => [
    { type: 'step', step, ms: 20 },
    { type: 'metric', step, name: 'train/loss', value: 1 },
  ])
  return round % 20 === 19
    ? [...events, { type: 'checkpoint', step: round * STEPS, weights, best: weights, state }]
    : events
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}

const issues: number[] = []
for (let i = 0; i < 20; i++) {
  issues.push(await timed(async () => page.endCapability(await page.issueCapability({ notebook: 'a.ts', cells }))))
}
const id = await page.issueCapability({ notebook: 'a.ts', cells })
const [held, free] = [runOf(1), runOf(2)]
await page.callWith(id, 'admitRuns', [[held].map(({ backend: _, device: __, ...planned }) => planned)])
const one = (await page.callWith(id, 'beginRun', [held])) as { id: number; epoch: number }
const other = await page.beginRun(free)
const times = { with: [] as number[], without: [] as number[] }
for (let round = 0; round < ROUNDS; round++) {
  const events = batch(round)
  const by = (epoch: number) => ({ epoch, batch: round + 1 })
  times.with.push(await timed(() => page.callWith(id, 'record', [one.id, events, by(one.epoch)]) as Promise<Recorded>))
  times.without.push(await timed(() => page.record(other?.id ?? 0, events, by(other?.epoch ?? 0))))
}
const [a, b] = [median(times.with), median(times.without)]
const sum = (values: number[]) => values.reduce((all, value) => all + value)
console.log(
  `${analyze(cells).order.length} cells; capability issued: first ${issues[0]?.toFixed(1)} ms, median ${median(issues).toFixed(2)} ms`,
)
console.log(`batch of ${STEPS} steps: with ${a.toFixed(3)} ms, without ${b.toFixed(3)} ms, ratio ${(a / b).toFixed(3)}`)
console.log(
  `all ${ROUNDS} batches, a checkpoint in every twentieth: ${(sum(times.with) / sum(times.without)).toFixed(3)}`,
)
console.log(`a step: ${(((a - b) / STEPS) * 1000).toFixed(1)} us more`)
host.close()
