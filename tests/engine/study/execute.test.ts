import { describe, expect, it } from 'vitest'
import type { FileSource } from '../../../engine/data/files.ts'
import * as mixlab from '../../../engine/index.ts'
import { adamw, add, block, compare, dense, image, mean, mixer, mul, shapes } from '../../../engine/index.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'
import type { Study } from '../../../engine/study/compare.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { memoryRuns } from './memory-runs.ts'

const task = image({ data: shapes({ train: 64, test: 20 }) })
const model = { patch: 16, dim: 8, depth: 1 }
const train = { steps: 3, batch: 8, optimizer: adamw() }
const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))
const backend = { name: 'cpu', device: 'test' } as const
const files: FileSource = {
  list: () => Promise.reject(new Error('none')),
  read: () => Promise.reject(new Error('none')),
}

async function execute(study: Study, runs = memoryRuns(), more = {}): Promise<StudyEvent[]> {
  const all: StudyEvent[] = []
  for await (const event of executeStudy(study, { runs, files, backend, ...more })) all.push(event)
  return all
}

const study = () => compare('s', { task, model, train, seeds: 2, variants: { plain, mixer: mixer() } })

describe('executeStudy', () => {
  it('trains every variant with every seed, seed by seed, and records what happens', async () => {
    const runs = memoryRuns()
    const events = await execute(study(), runs)
    expect(events.at(-1)).toEqual({ type: 'end', trained: 4, cached: 0, failed: 0, interrupted: false })
    expect(runs.started.map(({ variant, seed }) => `${variant} ${seed}`)).toEqual([
      'plain 1',
      'mixer 1',
      'plain 2',
      'mixer 2',
    ])
    expect(new Set(runs.started.map(({ key }) => key)).size).toBe(4)
    const recorded = runs.started[0]?.events ?? []
    expect(recorded.map(({ type }) => type).filter((type) => type === 'step')).toHaveLength(3)
    expect(recorded.at(-1)).toEqual({ type: 'done', step: 3 })
    const checkpoint = recorded.find((event) => event.type === 'checkpoint')
    expect(checkpoint?.weights.length).toBeGreaterThan(100)
  })

  it('counts the multiply-adds of each variant, where its code runs on shapes alone', async () => {
    const runs = memoryRuns()
    const reading = block('reading', (x) => mul(x, mean(x).dataSync()[0] ?? 1))
    await execute(compare('s', { task, model, train, seeds: 2, variants: { plain, reading } }), runs)
    const starts = runs.started.flatMap(({ events }) => events.filter((event) => event.type === 'start'))
    // 4 patches of 16 x 16 x 3 values to 8 channels, 8 to 8, and the mean to 10 classes
    const macs = 4 * 768 * 8 + 4 * 8 * 8 + 8 * 10
    expect(starts.map((event) => event.macs)).toEqual([macs, undefined, macs, undefined])
  })

  it('gives snapshots and histograms to the store alone; keeping them makes no other run', async () => {
    const runs = memoryRuns()
    const kept = (train: object) => compare('s', { task, model, train, seeds: 1, variants: { mixer: mixer() } })
    const events = await execute(kept({ ...train, snapshots: 1 }), runs)
    const of = (all: TrainEvent[]) => all.filter(({ type }) => type === 'snapshot' || type === 'histograms')
    const [snapshot, histograms] = of(runs.started[0]?.events ?? [])
    expect(snapshot).toMatchObject({ type: 'snapshot', step: 0, weights: expect.any(Uint8Array) })
    expect(histograms).toMatchObject({
      type: 'histograms',
      weights: { 'head.weight': {} },
      gradients: expect.anything(),
    })
    expect(of(events.flatMap((event) => (event.type === 'run' ? [event.event] : []))).slice(0, 2)).toEqual([
      { type: 'snapshot', step: 0, weights: new Uint8Array() },
      {
        type: 'histograms',
        step: histograms && 'step' in histograms ? histograms.step : 0,
        weights: {},
        gradients: {},
      },
    ])
    const again = await execute(kept({ ...train, histograms: false }), runs)
    expect(again.at(-1)).toMatchObject({ trained: 0, cached: 1 })
  })

  it('trains nothing that the store has', async () => {
    const runs = memoryRuns()
    await execute(study(), runs)
    const events = await execute(study(), runs)
    expect(events.at(-1)).toEqual({ type: 'end', trained: 0, cached: 4, failed: 0, interrupted: false })
    expect(events).toHaveLength(2)
  })

  it('goes on with the other runs when one fails', async () => {
    const broken = block('broken', (x) => mul(x, Number.NaN))
    const bad = block('bad', (x) => dense(x, 3))
    const events = await execute(compare('s', { task, model, train, seeds: 1, variants: { broken, bad, plain } }))
    expect(events.at(-1)).toEqual({ type: 'end', trained: 1, cached: 0, failed: 2, interrupted: false })
    const failures = events.flatMap((event) =>
      event.type === 'run' && event.event.type === 'failed' ? [event.event.message] : [],
    )
    expect(failures[0]).toBe('loss is NaN at step 1')
    expect(failures[1]).toContain("block 'bad'")
  })

  it('stops when aborted; a second call goes on with what is missing', async () => {
    const runs = memoryRuns()
    const abort = new AbortController()
    for await (const event of executeStudy(study(), { runs, files, backend, signal: abort.signal })) {
      if (event.type === 'run' && event.event.type === 'step' && event.id === 2) abort.abort()
      if (event.type === 'end') expect(event).toMatchObject({ trained: 1, interrupted: true })
    }
    expect(runs.started[1]?.events.at(-1)).toMatchObject({ type: 'interrupted', step: 1 })
    expect((await execute(study(), runs)).at(-1)).toMatchObject({ trained: 3, cached: 1 })
  })

  describe('after an interruption', () => {
    const long = (learningRate = 1e-3, checkpointEvery = {}) => {
      const recipe = { ...train, steps: 6, logEvery: 1, optimizer: adamw({ learningRate }), checkpointEvery }
      return compare('s', { task, model, train: recipe, seeds: 1, variants: { plain } })
    }
    const planOf = (events: StudyEvent[]) => events.flatMap((event) => (event.type === 'plan' ? event.runs : []))
    const eventsOf = (events: StudyEvent[]) => events.flatMap((event) => (event.type === 'run' ? [event.event] : []))

    /** A store with a run that was stopped after 4 of its 6 steps. */
    async function stopped() {
      const runs = memoryRuns()
      const abort = new AbortController()
      for await (const event of executeStudy(long(), { runs, files, backend, signal: abort.signal })) {
        if (event.type === 'run' && event.event.type === 'step' && event.event.step === 4) abort.abort()
      }
      return runs
    }

    it('a run goes on where it stopped, and says so; how often checkpoints come does not matter', async () => {
      const whole = memoryRuns()
      await execute(long(), whole)
      const runs = await stopped()
      const events = await execute(long(1e-3, { steps: 5 }), runs)
      expect(planOf(events).map(({ resumesAt }) => resumesAt)).toEqual([4])
      expect(eventsOf(events)[0]).toMatchObject({ type: 'start', steps: 6, resumedAt: 4 })
      expect(runs.started).toHaveLength(1)
      expect(await runs.readWeights(1)).toEqual(await whole.readWeights(1))
      expect(planOf(await execute(long(), runs))[0]).toMatchObject({ resumesAt: null, done: { id: 1 } })
    })

    it('a recipe that was edited is another run', async () => {
      const runs = await stopped()
      const events = await execute(long(2e-3), runs)
      expect(planOf(events)[0]?.resumesAt).toBeNull()
      expect(eventsOf(events)[0]).not.toHaveProperty('resumedAt')
      expect(runs.started).toHaveLength(2)
      expect(planOf(await execute(long(), runs))[0]?.resumesAt).toBe(4)
    })

    it('a run whose checkpoint is lost warns, starts anew, and ends the same', async () => {
      const whole = memoryRuns()
      await execute(long(), whole)
      const runs = await stopped()
      const lost = { ...runs, readState: () => Promise.reject(new Error('its checkpoint is missing')) }
      const events = eventsOf(await execute(long(), lost))
      expect(events.slice(0, 2)).toEqual([
        { type: 'warning', step: 0, message: 'its checkpoint is missing; training starts anew' },
        { type: 'start', steps: 6, parameters: expect.any(Number), macs: expect.any(Number) },
      ])
      expect(await runs.readWeights(1)).toEqual(await whole.readWeights(1))
    })
  })

  it('warns of the code of a variant once, whatever the seed', async () => {
    async function* trainer(): AsyncGenerator<TrainEvent> {
      yield { type: 'warning', step: 0, message: 'starts anew' }
      yield { type: 'warning', step: 4, message: `is ${++calls} times slower`, code: true }
      yield { type: 'done', step: 4 }
    }
    let calls = 0
    const events = await execute(study(), memoryRuns(), { trainers: async () => [trainer] })
    const told = events.flatMap((event) => {
      const inner = event.type === 'run' ? event.event : event
      return inner.type === 'warning' ? [`${event.type}: ${inner.message}`] : []
    })
    expect(told).toEqual([
      'run: starts anew',
      'warning: plain: is 1 times slower',
      'run: starts anew',
      'warning: mixer: is 2 times slower',
      'run: starts anew',
      'run: starts anew',
    ])
  })

  it('records a run as interrupted when nobody listens any more', async () => {
    const runs = memoryRuns()
    for await (const event of executeStudy(study(), { runs, files, backend })) {
      if (event.type === 'run' && event.event.type === 'step') break
    }
    expect(runs.started[0]?.events.at(-1)).toEqual({ type: 'interrupted', step: 1 })
  })
})

describe('run keys', () => {
  const notebook = (blockCode: string, tail = '') => `
// %% block
import { add, block, compare, dense, image, mixer, shapes } from 'mixlab'
const scale = 1
export const mine = block('mine', (x, { dim }) => ${blockCode})
// %% study
export const s = compare('s', {
  task: image({ data: shapes({ train: 64, test: 20 }) }), model: { patch: 16, dim: 8, depth: 1 },
  train: { steps: 1, batch: 4 }, seeds: 1, variants: { mine, mixer: mixer() },
})
${tail}`

  async function keys(text: string): Promise<Record<string, string>> {
    const silent = { debug() {}, log() {}, info() {}, warn() {}, error() {} }
    const values = await evaluateAll(text, { mixlab: { ...mixlab } }, { console: silent })
    const events = executeStudy(values.get('s')?.value as Study, { runs: memoryRuns(), files, backend })
    const first = await events.next()
    await events.return(undefined)
    const plan = first.value as Extract<StudyEvent, { type: 'plan' }>
    return Object.fromEntries(plan.runs.map(({ variant, key }) => [variant, key]))
  }

  it('change for the variant whose code changed, and for no other', async () => {
    const before = await keys(notebook('add(x, dense(x, dim))'))
    const after = await keys(notebook('add(x, dense(x, dim * scale))'))
    expect(after.mine).not.toBe(before.mine)
    expect(after.mixer).toBe(before.mixer)
  })
  it('do not change with comments, nor with cells that come after', async () => {
    const before = await keys(notebook('add(x, dense(x, dim))'))
    expect(await keys(notebook('add(x, /* why */ dense(x, dim))', '// %% more\nconst unrelated = 1'))).toEqual(before)
  })
})
