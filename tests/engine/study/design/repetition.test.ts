import * as tf from '@tensorflow/tfjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as mixlab from '../../../../engine/index.ts'
import { evaluateAll } from '../../../../engine/notebook/index.ts'
import type { StudyEvent } from '../../../../engine/records/run.ts'
import type { Study } from '../../../../engine/study/compare.ts'
import { executeStudy } from '../../../../engine/study/execute.ts'
import { memoryFiles } from '../../data/memory-files.ts'
import { memoryRuns } from '../memory-runs.ts'

const limit = Error.stackTraceLimit
beforeAll(() => {
  Error.stackTraceLimit = 50 // as in the kernel
})
afterAll(() => {
  Error.stackTraceLimit = limit
})

const modules = { mixlab, '@tensorflow/tfjs': tf }
const backend = { name: 'cpu', device: 'test' } as const

/** Trains a study of a cell, or plans it alone; `body` is what a block does, `before` stands above it. */
async function trained(body: string, before = '', more: object = {}, runs = memoryRuns()) {
  const text = `// %% own
import * as tf from '@tensorflow/tfjs'
import { block, dense, mul, parameter, random } from 'mixlab'
${before}
export const own = block('own', (x, { dim }) => { ${body} })

// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const study = compare('s', {
  task: image({ data: shapes({ train: 32, test: 10 }) }),
  model: { patch: 16, dim: 4, depth: 1 },
  train: { steps: 2, batch: 4, histograms: false },
  variants: { own, mixer: mixer() },
  seeds: 2,
})
`
  const study = (await evaluateAll(text, modules, { console })).get('study')?.value as Study
  const events: StudyEvent[] = []
  for await (const event of executeStudy(study, { runs, files: memoryFiles({}), backend, ...more })) events.push(event)
  const failed = runs.started.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === 'failed' ? [event.message] : [])),
  )
  return { events, failed, runs }
}

const again =
  "gives other numbers when it runs again; keep nothing from call to call; a block draws by random.uniform('noise', shape) from 'mixlab'"

describe('a block that gives other numbers each time', () => {
  it.each<[what: string, message: string, body: string, before?: string]>([
    [
      'draws by tfjs',
      "own:4: tf.randomNormal draws other numbers in every run; use random.normal('noise', shape) from 'mixlab', which draws by the seed of the run",
      'return mul(x, tf.randomNormal(x.shape))',
    ],
    ['counts', `own:4: ${again}`, 'return mul(x, ++calls)', 'let calls = 0'],
    ['draws seldom', `own:4: ${again}`, 'return mul(x, ++calls % 11 === 0 ? 2 : 1)', 'let calls = 0'],
    ['has kept what draws', `own:4: ${again}`, 'return mul(x, draw())', 'const { random: draw } = Math'],
    [
      'has a generator of its own',
      `own:4: ${again}`,
      'state = (16807 * state) % 2147483647; return mul(x, state / 2147483647)',
      'let state = 1',
    ],
    ['reads values, and counts', `own:4: ${again}`, 'tf.mean(x).dataSync(); return mul(x, ++calls)', 'let calls = 0'],
    [
      'draws its initial values',
      'own:4: Math.random() draws other numbers in every run; an initialiser draws by the key that it gets',
      "return mul(x, parameter('p', [dim], (size) => Float32Array.from({ length: size }, () => Math.random())))",
    ],
    [
      'counts its initial values',
      "own: 'blocks.0.p' gets other initial values when it is made again; draw them by the key that an initialiser gets",
      "return mul(x, parameter('p', [dim], (size) => new Float32Array(size).fill(++calls)))",
      'let calls = 0',
    ],
  ])('%s: fails before its first step, and is told before', async (_, message, body, before) => {
    const { failed, events } = await trained(body, before)
    expect(failed).toEqual([message]) // for one of its seeds
    expect(events.at(-1)).toMatchObject({ type: 'end', trained: 2, failed: 1 })
    const planned = await trained(body, before, { planOnly: true })
    expect(planned.events[0]).toEqual({ type: 'warning', message: `own fails before its first step: ${message}` })
  })

  it('is not taken from what an earlier version has trained of it', async () => {
    const { runs } = await trained('return mul(x, Math.random())')
    const keys = new Set(runs.started.map(({ key }) => key))
    expect(runs.started.filter(({ variant }) => variant === 'own').map(({ spec }) => spec)).toMatchObject([
      { model: { repeats: false } },
    ])
    expect(keys.size).toBe(runs.started.length)
  })

  it.each<[what: string, body: string, before?: string]>([
    ['counts its calls for nobody', 'calls++; return dense(x, dim)', 'let calls = 0'],
    ['keeps a table', 'table ??= [1, 2, 3, 4]; return mul(x, tf.tensor1d(table))', 'let table: number[] | undefined'],
    ['draws with a seed', "return mul(x, tf.randomNormal([dim], 0, 1, 'float32', 7))"],
    ['draws by random', "return mul(x, random.normal('noise', x.shape, { mean: 1 }))"],
    ['has captured a number that was drawn once', 'return mul(x, drawn)', 'const drawn = Math.random()'],
    ['reads values', 'return mul(x, 1 + (tf.mean(x).dataSync()[0] ?? 0))'],
  ])('is none that %s', async (_, body, before) => {
    const { failed, events } = await trained(body, before)
    expect(failed).toEqual([])
    expect(events.at(-1)).toMatchObject({ type: 'end', trained: 4 })
  })
})
