import { describe, expect, it, vi } from 'vitest'
import type { FileSource } from '../../../engine/data/files.ts'
import { MixlabError } from '../../../engine/errors.ts'
import * as mixlab from '../../../engine/index.ts'
import { adamw, add, block, compare, dense, image, mean, mixer, mul, shapes } from '../../../engine/index.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import { noteProvenance } from '../../../engine/notebook/provenance.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { RunStart, StoredRun, StudyEvent } from '../../../engine/records/run.ts'
import type { RunStore } from '../../../engine/records/store.ts'
import type { Study } from '../../../engine/study/compare.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { placeFrom, type Runner } from '../../../engine/study/runners/runner.ts'
import { taskKind } from '../../../engine/tasks/index.ts'
import { inEvents } from '../records/inEvents.ts'
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

/** A runner with one place, which trains so. */
const inPlace = (train: Parameters<typeof placeFrom>[0]): Runner => ({ places: async () => [placeFrom(train)] })

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
    const checkpoint = recorded.findLast((event) => event.type === 'checkpoint')
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
    expect(events.map(({ type }) => type)).toEqual(['plan', 'arms', 'end'])
  })

  it('tries one seed of a variant whose code fails, and says what to import', async () => {
    const source = `// %% gated
import { block, dense } from 'mixlab'
export const gated = block('gated', (x, { dim }) =>
  add(x, dense(x, dim)))
// %% late
import { block, dense, residual } from 'mixlab'
export const late = block('late', (x, { dim }) => residual(x, dense(layernorm(x), dim)))`
    const cells = await evaluateAll(source, { mixlab }, { console })
    const of = (name: string) => cells.get(name)?.value as typeof plain
    const variants = { gated: of('gated'), plain, late: of('late') }
    const runs = memoryRuns()
    const events = await execute(compare('s', { task, model, train, seeds: 3, variants }), runs)
    expect(events.at(-1)).toEqual({ type: 'end', trained: 3, cached: 0, failed: 2, interrupted: false })
    expect(runs.started.map(({ variant, seed }) => `${variant} ${seed}`)).toEqual([
      ...['gated 1', 'plain 1', 'late 1', 'plain 2', 'plain 3'],
    ])
    expect(events.flatMap((event) => (event.type === 'skipped' ? [[event.keys.length, event.error]] : []))).toEqual([
      [2, "gated:3: add is not defined; add: import { add } from 'mixlab'"],
      [2, "late:2: layernorm is not defined; did you mean layerNorm? add: import { layerNorm } from 'mixlab'"],
    ])
  })

  it('goes on with the other runs when one fails', async () => {
    const broken = block('broken', (x) => mul(x, Number.NaN))
    const bad = block('bad', (x) => dense(x, 3))
    const events = await execute(compare('s', { task, model, train, seeds: 1, variants: { broken, bad, plain } }))
    expect(events.at(-1)).toEqual({ type: 'end', trained: 1, cached: 0, failed: 2, interrupted: false })
    const failures = events.flatMap((event) =>
      event.type === 'run' && event.event.type === 'failed' ? [event.event.message] : [],
    )
    expect(failures[0]).toMatch(/^blocks\.0: loss is NaN at step 1: Multiply is the first /)
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
    const events = await execute(study(), memoryRuns(), { runner: inPlace(trainer) })
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

  it('has recorded whatever is no measurement before anybody hears of it', async () => {
    const runs = memoryRuns()
    const recipe = { ...train, checkpointEvery: { steps: 1 } }
    const once = compare('s', { task, model, train: recipe, seeds: 1, variants: { plain } })
    const measured = ['step', 'metric', 'histograms', 'report', 'outcomes']
    const heard: string[] = []
    for await (const event of executeStudy(once, { runs, files, backend })) {
      if (event.type !== 'run' || measured.includes(event.event.type)) continue
      heard.push(event.event.type)
      expect(runs.started[0]?.events.at(-1)?.type).toBe(event.event.type)
    }
    expect(heard.filter((type) => type === 'checkpoint')).toHaveLength(3)
  })

  it('records a run as interrupted when nobody listens any more', async () => {
    const runs = memoryRuns()
    for await (const event of executeStudy(study(), { runs, files, backend })) {
      if (event.type === 'run' && event.event.type === 'step') break
    }
    expect(runs.started[0]?.events.at(-1)).toEqual({ type: 'interrupted', step: 1 })
  })
})

describe('what executeStudy records', () => {
  const one = () => compare('s', { task, model, train, seeds: 1, variants: { plain } })
  const word = (event: TrainEvent) => `${event.type} ${'step' in event ? event.step : ''}`

  /** Trains in no time. */
  async function* finishing(): AsyncGenerator<TrainEvent> {
    yield { type: 'done', step: 1 }
  }

  /** A store that keeps the batches that it is given. */
  function batches() {
    const written: string[][] = []
    const runs = memoryRuns()
    const record: typeof runs.record = async (id, events) => {
      written.push(inEvents(events).map(word))
      return runs.record(id, events)
    }
    return { written, runs: { ...runs, record }, started: runs.started }
  }

  /** Trains by a trainer that yields such events; `ms` pass before each. */
  async function trained(events: (TrainEvent & { ms?: number })[], more = {}) {
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    const store = batches()
    async function* trainer() {
      for (const { ms = 0, ...event } of events) {
        now += ms
        yield event as TrainEvent
      }
    }
    const told = await execute(one(), store.runs, { runner: inPlace(trainer), ...more })
    clock.mockRestore()
    return { ...store, told }
  }
  const step = (at: number, ms = 0) => ({ ...({ type: 'step', step: at } as TrainEvent), ms })
  const metric = (at: number, ms = 0) => ({ ...({ type: 'metric', step: at, name: 'a', value: 1 } as TrainEvent), ms })

  it('gathers steps and metrics for a quarter of a second, and all else at once', async () => {
    const { written } = await trained([
      { type: 'start', steps: 9, parameters: 1 },
      ...[step(1, 100), metric(1, 150), step(2), step(3, 1), step(4, 250), step(5)],
      { type: 'checkpoint', step: 5, weights: new Uint8Array(1) },
      ...[step(6), metric(6)],
      { type: 'done', step: 6 },
    ])
    expect(written).toEqual([
      ['start '],
      ['step 1', 'metric 1', 'step 2', 'step 3'],
      ['step 4', 'step 5', 'checkpoint 5'],
      ['step 6', 'metric 6', 'done 6'],
    ])
  })

  it('ends a run that ends without a word, and leaves endings as they are', async () => {
    const start: TrainEvent = { type: 'start', steps: 9, parameters: 1 }
    expect((await trained([start, step(3)])).written).toEqual([['start '], ['step 3', 'interrupted 3']])
    expect((await trained([start])).written).toEqual([['start '], ['interrupted 0']])
    expect((await trained([])).written).toEqual([])
    for (const ending of ['done', 'interrupted', 'failed'] as const) {
      const { written } = await trained([start, { type: ending, step: 2, message: 'no' }])
      expect(written).toEqual([['start '], [`${ending} 2`]])
    }
  })

  it('writes nothing that may come from a lost device, and ends its run as interrupted', async () => {
    const start: TrainEvent = { type: 'start', steps: 9, parameters: 1 }
    const checkpoint: TrainEvent = { type: 'checkpoint', step: 2, weights: new Uint8Array(1) }
    const failed: TrainEvent = { type: 'failed', step: 4, message: 'no shader' }
    const asked: (string | null)[] = []
    /** The device is lost when it is asked for the nth time. */
    const lostAt = (n: number) => async (failure: string | null) => {
      asked.push(failure)
      return asked.length >= n ? 'it fell out' : null
    }
    const lose = async (n: number, events: TrainEvent[]) => {
      asked.length = 0
      const store = batches()
      const trainer = async function* () {
        yield* events
      }
      const told = execute(one(), store.runs, { runner: inPlace(trainer), lost: lostAt(n) })
      await expect(told).rejects.toThrow('the graphics card was lost: it fell out')
      return store.written
    }
    const events = [start, step(1), metric(1), checkpoint, step(3), metric(3), failed]
    expect(await lose(1, events)).toEqual([['interrupted 0']])
    expect(await lose(2, events)).toEqual([['start '], ['interrupted 0']])
    expect(await lose(3, events)).toEqual([['start '], ['step 1', 'metric 1', 'checkpoint 2'], ['interrupted 2']])
    expect(asked).toEqual([null, null, 'no shader'])
  })

  it('counts what is done and what failed', async () => {
    const counts = async (type: 'done' | 'failed' | 'interrupted') =>
      (await trained([{ type, step: 1, message: '' }])).told.at(-1)
    expect(await counts('done')).toMatchObject({ trained: 1, failed: 0 })
    expect(await counts('failed')).toMatchObject({ trained: 0, failed: 1 })
    expect(await counts('interrupted')).toMatchObject({ trained: 0, failed: 0, interrupted: false })
  })

  it('passes weights on empty, and everything else as it is', async () => {
    const bytes = new Uint8Array(3)
    const { told } = await trained([
      { type: 'snapshot', step: 0, weights: bytes },
      { type: 'checkpoint', step: 1, weights: bytes, best: bytes, state: bytes },
      { type: 'histograms', step: 1, weights: { a: {} as never }, gradients: { a: {} as never } },
      { type: 'warning', step: 1, message: 'hot' },
      { type: 'done', step: 1 },
    ])
    expect(told.flatMap((event) => (event.type === 'run' ? [event.event] : []))).toEqual([
      { type: 'snapshot', step: 0, weights: new Uint8Array() },
      { type: 'checkpoint', step: 1, weights: new Uint8Array() },
      { type: 'histograms', step: 1, weights: {}, gradients: {} },
      { type: 'warning', step: 1, message: 'hot' },
      { type: 'done', step: 1 },
    ])
  })

  describe('a run that somebody else trains', () => {
    /** A store in which somebody else trains all runs, until they end in some way. */
    function trainedElsewhere(...ways: (Partial<StoredRun> | null)[]) {
      const runs = memoryRuns()
      const asked = new Set<string>()
      let looks = 0
      return {
        ...runs,
        beginRun: async (run: RunStart) => {
          asked.add(run.key)
          return looks < ways.length ? null : runs.beginRun(run)
        },
        lookAt: async ([key = '']: string[]) => {
          if (!asked.has(key)) return []
          const found = ways[looks++]
          return found ? [{ ...found, key } as StoredRun] : []
        },
      }
    }
    const tally = { trained: 0, cached: 0, failed: 0, interrupted: false }

    it('is waited for, and counts as they left it', async () => {
      const done = await execute(one(), trainedElsewhere({ status: 'running' }, { status: 'done' }))
      expect(done.slice(1).map(({ type }) => type)).toEqual(['elsewhere', 'ended', 'end'])
      expect(done.at(-1)).toEqual({ type: 'end', ...tally, cached: 1 })
      const failed = await execute(one(), trainedElsewhere({ status: 'failed', error: 'no' }))
      expect(failed.at(-1)).toEqual({ type: 'end', ...tally, failed: 1 })
    })

    it.each([[{ status: 'interrupted' as const }], [null]])('is taken up here where they stopped: %o', async (left) => {
      const events = await execute(one(), trainedElsewhere(left))
      expect(events.map(({ type }) => type).slice(0, 3)).toEqual(['plan', 'elsewhere', 'begin'])
      expect(events.at(-1)).toEqual({ type: 'end', ...tally, trained: 1 })
    })

    it('is waited for no longer than until the signal', async () => {
      const abort = new AbortController()
      const runs = {
        ...trainedElsewhere(null),
        lookAt: async () => {
          abort.abort()
          return [{ status: 'running' } as StoredRun]
        },
      }
      const events = await execute(one(), { ...runs, beginRun: async () => null }, { signal: abort.signal })
      expect(events.at(-1)).toEqual({ type: 'end', ...tally, interrupted: true })
    })
  })

  it('leaves a run to somebody who has taken it up meanwhile, records nothing more of it, and goes on', async () => {
    const runs = memoryRuns()
    let refused = 0
    const record = async () => {
      refused += 1
      throw new MixlabError('owner', 'run 1', 'its owner 1 is too late, 2 has taken it up')
    }
    const lookAt = async ([key = '']: string[]) => [{ key, status: 'done' } as StoredRun]
    const events = await execute(one(), { ...runs, record, lookAt })
    expect(events.map(({ type }) => type)).toEqual(['plan', 'begin', 'elsewhere', 'ended', 'end'])
    expect(refused).toBe(1)
  })

  it('stops the whole study at a checkpoint where the store says so', async () => {
    const runs = memoryRuns()
    const recorders: unknown[] = []
    const record: RunStore['record'] = async (id, events, by) => {
      recorders.push(by)
      return { ...(await runs.record(id, events)), stop: true }
    }
    const events = await execute(study(), { ...runs, record })
    expect(events.at(-1)).toMatchObject({ type: 'end', trained: 0, interrupted: true })
    expect(runs.started).toHaveLength(1)
    expect(runs.started[0]?.events.at(-1)?.type).toBe('interrupted')
    expect(recorders.slice(0, 2)).toEqual([
      { epoch: 1, batch: 1 },
      { epoch: 1, batch: 2 },
    ])
  })

  it('names the machine and the backend, and asks for what goes on there alone', async () => {
    const runs = memoryRuns()
    const asked: unknown[] = []
    const findResumable = async (...given: unknown[]) => {
      asked.push(given[1])
      return []
    }
    const machine = { platform: 'linux' } as never
    await execute(one(), { ...runs, findResumable }, { machine, notebook: 'n.ts' })
    expect(asked).toEqual(['cpu'])
    expect(runs.started[0]).toMatchObject({ backend: 'cpu', device: 'test', environment: { platform: 'linux' } })
    expect(runs.started[0]).not.toHaveProperty('origin') // no cell defines it
    await execute(one(), runs, { only: ['plain'], seeds: 2 })
    expect(runs.started[1]).not.toHaveProperty('environment')
  })

  it('trains here where there is nowhere else, and says why', async () => {
    const refuse = () => Promise.reject(new Error('too little memory'))
    const events = await execute(one(), memoryRuns(), { runner: { places: refuse } })
    expect(events).toContainEqual({ type: 'warning', message: 'one run is trained at a time: too little memory' })
    expect(events.at(-1)).toMatchObject({ trained: 1 })
    expect((await execute(one(), memoryRuns(), { runner: { places: async () => null } })).at(-1)).toMatchObject({
      trained: 1,
    })
  })

  it('says which run began where, and asks for places for those that wait', async () => {
    const runs = memoryRuns()
    const asked: string[][] = []
    const places = async (keys: string[]) => {
      asked.push(keys)
      return [placeFrom(finishing)]
    }
    const events = await execute(one(), runs, { runner: { places } })
    const key = runs.started[0]?.key
    expect(asked).toEqual([[key]])
    expect(events[1]).toEqual({ type: 'begin', key, id: 1, backend: 'cpu' })
  })

  it('names the cell and the notebook that asked for a run', async () => {
    const asking = one()
    noteProvenance(asking, { cell: 'study', name: 's', fingerprint: 'f', code: 'compare()' })
    const origin = { cell: 'study', name: 's', source: 'compare()', quick: false }
    for (const notebook of ['n.ts', undefined]) {
      const runs = memoryRuns()
      await execute(asking, runs, { notebook, runner: inPlace(finishing) })
      expect(runs.started[0]?.origin).toEqual({ ...origin, notebook: notebook ?? null })
    }
  })

  it('trains what its runs start from, where they are to be trained and it is not there', async () => {
    const runs = memoryRuns()
    const plans = async (steps: number) => {
      const next = compare('next', { ...one().spec, train: { ...train, steps }, from: one() })
      const events = await execute(next, runs, { runner: inPlace(finishing) })
      return events.flatMap((event) => (event.type === 'plan' ? [event.study] : []))
    }
    expect(await plans(3)).toEqual(['s', 'next'])
    expect(await plans(4)).toEqual(['next'])
    for (const run of runs.started) if (run.study === 's') run.events.length = 0
    expect(await plans(4)).toEqual(['next'])
    expect(await plans(5)).toEqual(['s', 'next'])
  })

  it('asks the store for nothing where nothing is planned', async () => {
    const findDone = vi.fn()
    const events = await execute(one(), { ...memoryRuns(), findDone }, { only: [] })
    expect(events.at(-1)).toEqual({ type: 'end', trained: 0, cached: 0, failed: 0, interrupted: false })
    expect(findDone).not.toHaveBeenCalled()
  })

  it('begins no run once it is aborted', async () => {
    const runs = memoryRuns()
    const events = await execute(one(), runs, { signal: AbortSignal.abort() })
    expect(events.at(-1)).toEqual({ type: 'end', trained: 0, cached: 0, failed: 0, interrupted: true })
    expect(runs.started).toEqual([])
  })

  it('tells what is to be known of the data', async () => {
    const opened = vi.spyOn(taskKind('image'), 'open').mockImplementation(async (...given) => {
      opened.mockRestore()
      return { ...(await taskKind('image').open(...given)), warnings: ['2 files were left out'] }
    })
    const events = await execute(one(), memoryRuns(), { runner: inPlace(async function* () {}) })
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'warning', message: '2 files were left out' },
      { type: 'plan', study: 's', metric: 'test/accuracy', variants: ['plain'] },
    ])
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
    const after = await keys(notebook('add(x, dense(dense(x, dim), dim))'))
    expect(after.mine).not.toBe(before.mine)
    expect(after.mixer).toBe(before.mixer)
  })
  it('do not change with comments, other code that does the same, nor with cells that come after', async () => {
    const before = await keys(notebook('add(x, dense(x, dim))'))
    expect(await keys(notebook('add(x, /* why */ dense(x, dim))', '// %% more\nconst unrelated = 1'))).toEqual(before)
    expect(await keys(notebook('add(x, dense(x, dim * scale))'))).toEqual(before)
  })
})
