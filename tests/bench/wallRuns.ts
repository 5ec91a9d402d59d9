import { openStore } from '../../app/store/index.ts'
import { openWorkspace } from '../../app/workspace/index.ts'
import { keyOf, normal } from '../../engine/random.ts'
import type { TrainEvent } from '../../engine/records/events.ts'
import { ACCURACY, LOSS } from '../meanings.ts'

const BLOCKS = ['gmlp', 'mixer', 'resmlp', 'vit', 'amlp', 'external']
const SETS = ['digits', 'shapes', 'cifar10']
const EVERY = 10
const SEEDS_OF_A_STUDY = 10

/** How many runs, of how many variants, and the points of each metric of most of them. */
export interface WallRuns {
  runs: number
  variants: number
  points: number
  /** How many of them, the newest, are left in training. */
  running?: number
}

/**
 * Fills a new workspace with runs of no real training whose curves look as if: variants of several blocks and rates, each
 * on several data sets; every seventh run is shorter, every 40th diverges, every 60th is interrupted, half measure no
 * calibration, and one in 500 is by a variant of its own. Returns the ids by the order in which they were made.
 */
export function fillWall(folder: string, { runs, variants, points, running = 0 }: WallRuns): number[] {
  const workspace = openWorkspace(folder)
  const store = openStore(workspace)
  const ids: number[] = []
  for (let i = 0; i < runs; i++) {
    const [place, seed] = [i % variants, Math.floor(i / variants)]
    const block = BLOCKS[place % BLOCKS.length] ?? ''
    const learningRate = [3e-4, 1e-3, 3e-3, 1e-2, 3e-2][Math.floor(place / BLOCKS.length) % 5] ?? 1e-3
    const alone = i % 500 === 499
    const dataset = SETS[seed % SETS.length] ?? ''
    const steps = points * EVERY
    const optimizer = { optimizer: 'adamw', options: { learningRate } }
    const options = { data: { dataset, options: { train: 2000 } } }
    const start = {
      key: i.toString(16).padStart(64, '0'),
      study: `rates ${1 + Math.floor(seed / SEEDS_OF_A_STUDY)}`,
      variant: alone ? `alone ${i}` : `${block}, rate ${learningRate}`,
      seed,
      spec: {
        task: { kind: 'task', task: 'image', options },
        model: { block, dim: 64, depth: 2 + (place % 4) },
        train: { steps, batch: 32 << (seed % 2), optimizer },
        seed,
      },
      code: '',
    }
    const id = store.beginRun({ ...start, backend: 'simd', device: 'two cores' })?.id
    if (id === undefined) throw new Error(`run ${i} is there already`)
    ids.push(id)
    const diverges = i % 40 === 39
    const length = i >= runs - running ? Math.ceil(points / 2) : i % 7 === 3 ? Math.ceil(points * 0.6) : points
    const macs = 1_000_000 * (1 + (place % 4))
    store.record(id, [{ type: 'start', steps, parameters: 120_000 + 10_000 * place, macs }])
    const worth = 0.45 + 0.015 * (place % 30) + 0.01 * normal(keyOf(1, 'worth'), i)
    const events = Array.from({ length }, (_, point) => pointOf(i, point, { points, worth, diverges }))
    store.record(id, events.flat())
    if (i >= runs - running) continue
    if (diverges) store.record(id, [{ type: 'failed', step: length * EVERY, message: 'the loss is NaN' }])
    else if (i % 60 === 59) store.record(id, [{ type: 'interrupted', step: length * EVERY }])
    else {
      const final: TrainEvent = {
        ...{ type: 'metric', name: 'test/accuracy', step: length * EVERY, meaning: { ...ACCURACY, compared: true } },
        value: worth * (length === points ? 1 : 0.9) + 0.01 * normal(keyOf(1, 'test'), i),
      }
      store.record(id, [final, { type: 'done', step: length * EVERY }])
    }
  }
  store.close()
  return ids
}

/** The metrics of a run at a point. */
function pointOf(
  run: number,
  point: number,
  { points, worth, diverges }: { points: number; worth: number; diverges: boolean },
): TrainEvent[] {
  const step = (point + 1) * EVERY
  const done = (point + 1) / points
  const learned = worth * (1 - (1 + 30 * done) ** -0.7)
  const loss = diverges && done > 0.4 ? Number.NaN : 0.2 + 4 * (1 - learned) + 0.08 * normal(keyOf(run, 'loss'), point)
  const events: TrainEvent[] = [{ type: 'metric', step, name: 'train/loss', value: loss, meaning: LOSS }]
  if (point % 5 === 4) {
    const value = Math.max(0, learned + 0.01 * normal(keyOf(run, 'accuracy'), point))
    events.push({ type: 'metric', step, name: 'validation/accuracy', value, meaning: ACCURACY })
    if (run % 2 === 0) {
      events.push({ type: 'metric', step, name: 'validation/calibration', value: 0.3 * (1 - learned), meaning: LOSS })
    }
  }
  return events
}
