import type { TrainEvent } from '../../engine/records/events.ts'
import { NUMERICS } from '../../engine/records/numerics.ts'
import type { RunStart } from '../../engine/records/run.ts'
import { keyOfSpec } from '../../engine/study/key.ts'
import { adamw } from '../../engine/train/optimizers/adamw.ts'
import { resolveRecipe } from '../../engine/train/recipe.ts'
import { MEANINGS } from '../meanings.ts'

/** Runs of no real training whose curves look as if: 6 seeds of each configuration, 50 configurations to a study. */
export interface GeneratedRun {
  start: RunStart
  /** Points of each metric; one every `EVERY` steps. */
  points: number
  ending: 'done' | 'failed' | 'interrupted'
}

export const EVERY = 10
const SEEDS = 6
const PER_STUDY = 50

const TASKS = [
  { task: 'image', dataset: 'cifar10', tokens: 64 },
  { task: 'mlm', dataset: 'wikitext103', tokens: 128 },
  { task: 'sequence', dataset: 'sst2', tokens: 64 },
  { task: 'pair', dataset: 'mnli', tokens: 128 },
  { task: 'span', dataset: 'squad', tokens: 384 },
] as const
const BLOCKS = ['gmlp', 'mixer', 'resmlp', 'vit', 'amlp']
const RATES = [3e-4, 5e-4, 1e-3, 2e-3, 5e-3]

export const METRICS = [
  ...['train/loss', 'train/accuracy', 'train/gradient_norm', 'train/learning_rate', 'train/step_ms'],
  ...['test/loss', 'test/accuracy', 'test/top5', 'test/perplexity', 'test/calibration_error'],
]

/**
 * `count` runs that have about `points` points together; the first of every 300 have a tenth of them, and come first.
 * The same numbers each time.
 */
export function* generatedRuns(count: number, points: number): Generator<GeneratedRun> {
  const long = Math.ceil(count / 300)
  const longPoints = Math.round(points / 10 / long / METRICS.length)
  const shortPoints = Math.round((points * 9) / 10 / Math.max(1, count - long) / METRICS.length)
  for (let i = 0; i < count; i++) {
    const start = startOf(Math.floor(i / SEEDS), i % SEEDS, i < long ? longPoints : shortPoints)
    const ending = i % 50 === 49 ? 'failed' : i % 70 === 69 ? 'interrupted' : 'done'
    yield { start, points: i < long ? longPoints : shortPoints, ending }
  }
}

function startOf(configuration: number, seed: number, points: number): RunStart {
  const [study, variant] = [Math.floor(configuration / PER_STUDY), configuration % PER_STUDY]
  const { task, dataset, tokens } = TASKS[study % TASKS.length] ?? TASKS[0]
  const block = BLOCKS[variant % BLOCKS.length] ?? ''
  const depth = 6 * (1 + (Math.floor(variant / BLOCKS.length) % 5))
  const dim = 64 * (1 + (study % 8))
  const learningRate = RATES[(study + Math.floor(variant / 25)) % RATES.length] ?? 1e-3
  const optimizer = adamw({ learningRate })
  const { checkpointEvery: _, ...train } = resolveRecipe({ steps: points * EVERY, batch: 32 << (study % 4), optimizer })
  const spec = {
    numerics: NUMERICS,
    data: `generated ${dataset}`,
    model: { block, dim, depth, tokens, code: 'built in' },
    train,
    seed,
    task: { kind: 'task', task, options: { data: { dataset } } },
  }
  return {
    key: keyOfSpec({ configuration, seed, points }),
    study: `${task} ${study + 1}`,
    variant: `${block}, depth ${depth}, rate ${learningRate}`,
    seed,
    spec,
    code: `// built in: ${block}`,
    backend: 'simd',
    device: 'a processor',
  }
}

/** The metrics of a run from point `from` to before `to`, in the order of training. */
export function eventsOf({ start, points, ending }: GeneratedRun, from: number, to: number): TrainEvent[] {
  const key = Number.parseInt(start.key.slice(0, 8), 16)
  // What a configuration is worth, and a little of what the seed is.
  const worth = 0.5 + 0.3 * noise(hash(start.study + start.variant), 0) + 0.02 * noise(key, 0)
  const events: TrainEvent[] = []
  for (let point = from; point < to; point++) {
    const done = (point + 1) / points
    const learned = worth * (1 - (1 + 30 * done) ** -0.7)
    const loss = 0.2 + 4 * (1 - learned)
    for (const [i, name] of METRICS.entries()) {
      const jitter = noise(key + i + 1, point)
      events.push({
        type: 'metric',
        step: (point + 1) * EVERY,
        name,
        value: metricValue(name, loss, learned, done, jitter),
        meaning: MEANINGS[name],
      })
    }
  }
  const last = events.at(-METRICS.length)
  if (ending === 'failed' && to === points && last?.type === 'metric') last.value = Number.NaN
  return events
}

function metricValue(name: string, loss: number, learned: number, done: number, jitter: number): number {
  switch (name) {
    case 'train/loss':
      return loss * (1 + 0.08 * jitter)
    case 'test/loss':
      return loss * (1.05 + 0.01 * jitter)
    case 'test/perplexity':
      return Math.exp(loss * (1.05 + 0.01 * jitter))
    case 'train/gradient_norm':
      return 0.3 + loss * (1 + 0.5 * jitter) + (jitter > 0.999 ? 50 : 0)
    case 'train/learning_rate':
      return 5e-4 * (1 + Math.cos(Math.PI * done))
    case 'train/step_ms':
      return 20 + 2 * jitter
    case 'test/top5':
      return Math.min(1, learned * 1.2 + 0.005 * jitter)
    default:
      return learned + 0.01 * jitter
  }
}

/** Uniform in -1 to 1 by the finaliser of MurmurHash3: cheap, and random enough for a curve. */
function noise(key: number, counter: number): number {
  let bits = key ^ Math.imul(counter + 1, 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) / 0x80000000
}

function hash(text: string): number {
  return [...text].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7)
}
