import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { connect } from '../../../../engine/channel.ts'
import { adamw, add, block, compare, dense, image, mixer, shapes } from '../../../../engine/index.ts'
import type { TrainEvent } from '../../../../engine/records/events.ts'
import type { PlannedRun, StudyEvent } from '../../../../engine/records/run.ts'
import type { Study } from '../../../../engine/study/compare.ts'
import { executeStudy } from '../../../../engine/study/execute.ts'
import type { JobCalls, JobsCalls } from '../../../../engine/study/jobs/calls.ts'
import { serveJob } from '../../../../engine/study/jobs/job.ts'
import { createJobs, type SpawnJob } from '../../../../engine/study/jobs/jobs.ts'
import type { Place } from '../../../../engine/study/runners/runner.ts'
import { pair } from '../../pair.ts'
import { memoryRuns } from '../memory-runs.ts'

const task = image({ data: shapes({ train: 64, test: 20 }) })
const model = { patch: 16, dim: 8, depth: 1 }
const train = { steps: 3, batch: 8, optimizer: adamw() }
const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))
const backend = { name: 'cpu', device: 'test' } as const
const files = {
  list: () => Promise.reject(new Error('none')),
  read: () => Promise.reject(new Error('none')),
}
const study = (name = 's') => compare(name, { task, model, train, seeds: 2, variants: { plain, mixer: mixer() } })

/** Jobs that work in this thread. */
function jobsHere(count: number, source: JobsCalls, evaluate: () => Promise<Study[]>) {
  const spawn = vi.fn<SpawnJob>(() => {
    const [near, far] = pair()
    serveJob(far, { evaluate })
    return { channel: near, end: () => {} }
  })
  return { spawn, jobs: createJobs(count, spawn, source) }
}

/** Jobs that answer as told, and the function that breaks the one started last. */
function jobsThat(count: number, calls: JobCalls) {
  let breakDown = (_: string) => {}
  const end = vi.fn()
  const spawn = vi.fn<SpawnJob>((broken) => {
    breakDown = broken
    const [near, far] = pair()
    connect<JobsCalls, JobCalls>(calls, far)
    return { channel: near, end }
  })
  const jobs = createJobs(count, spawn, { ...memoryRuns(), ...files })
  return { jobs, spawn, end, breakDown: (why: string) => breakDown(why) }
}

const never = () => new Promise<never>(() => {})
const { signal } = new AbortController()

/** The events of the first attempt at a run. */
async function* eventsAt(place: Place | undefined): AsyncGenerator<TrainEvent> {
  const attempt = await place?.attempt({ key: 'k' } as PlannedRun)
  if (attempt) yield* attempt.events(1, 0)
}

async function execute(one: Study, runs = memoryRuns(), more = {}): Promise<StudyEvent[]> {
  const all: StudyEvent[] = []
  for await (const event of executeStudy(one, { runs, files, backend, ...more })) all.push(event)
  return all
}

describe('jobs', () => {
  it('train what runs in place train, to the same bits, also of a study that starts from another', async () => {
    const next = () => compare('next', { ...study().spec, from: study(), seeds: 1 })
    const [here, there] = [memoryRuns(), memoryRuns()]
    await execute(next(), here)
    const evaluate = vi.fn(async () => [study(), next()])
    const { jobs, spawn } = jobsHere(1, { ...there, ...files }, evaluate)
    const waiting: number[] = []
    const inner = jobs.runnerOf('next', {})
    const places = (keys: string[], signal: AbortSignal) => {
      waiting.push(keys.length)
      return inner.places(keys, signal)
    }
    const events = await execute(next(), there, { runner: { places } })
    expect(events.at(-1)).toEqual({ type: 'end', trained: 2, cached: 0, failed: 0, interrupted: false })
    expect(waiting).toEqual([2, 2])
    expect([spawn.mock.calls.length, evaluate.mock.calls.length]).toEqual([1, 1])
    const weights = (runs: typeof here) => Promise.all([1, 2, 3, 4].map((id) => runs.readWeights(id)))
    expect(await weights(there)).toEqual(await weights(here))
  })

  it('are not started where nothing is to be trained', async () => {
    const runs = memoryRuns()
    await execute(study(), runs)
    const places = vi.fn()
    await execute(study(), runs, { runner: { places } })
    expect(places).not.toHaveBeenCalled()
  })

  it('leave a study that the notebook does not give a second time to be trained in place', async () => {
    const runs = memoryRuns()
    const { jobs } = jobsHere(1, { ...runs, ...files }, async () => [study('other')])
    const events = await execute(study(), runs, { runner: jobs.runnerOf('s', {}) })
    expect(events.at(-1)).toMatchObject({ trained: 4, failed: 0 })
    const why = "one run is trained at a time: study 's' is another each time the notebook is evaluated"
    expect(events).toContainEqual({ type: 'warning', message: why })
  })

  /** Executes the study in one place that breaks down whenever `breaks` says so; `events` are those of each job in turn. */
  async function executeBreaking(events: (TrainEvent | 'breaks')[][]) {
    let left: (TrainEvent | 'breaks')[] = []
    const { jobs, spawn, breakDown } = jobsThat(1, {
      knows: async () => true,
      interrupt: async () => {},
      begin: async () => {
        left = events.shift() ?? [{ type: 'done', step: 3 }]
      },
      next: async () => {
        const next = left.shift() ?? null
        if (next !== 'breaks') return next && [next]
        breakDown('SIGKILL')
        return never()
      },
    })
    const runs = memoryRuns()
    const all = await execute(study(), runs, { runner: jobs.runnerOf('s', {}) })
    const first = all.flatMap((event) => (event.type === 'run' && event.id === 1 ? [event.event] : []))
    return { all, first, spawn }
  }
  const start: TrainEvent = { type: 'start', steps: 3, parameters: 1 }
  const saved = (step: number): TrainEvent => ({ type: 'checkpoint', step, weights: Uint8Array.of(1) })

  it('that break down interrupt the run they train, which goes on in another one', async () => {
    const { all, first, spawn } = await executeBreaking([['breaks'], [start, saved(1), 'breaks']])
    expect(all.at(-1)).toMatchObject({ trained: 4, failed: 0 })
    const message = 'its process ended: SIGKILL; it continues from its last checkpoint'
    expect(first).toMatchObject([
      { type: 'warning', step: 0, message },
      { type: 'interrupted', step: 0 },
      start,
      { type: 'checkpoint', step: 1 },
      { type: 'warning', step: 1, message },
      { type: 'interrupted', step: 1 },
      { type: 'done' },
    ])
    expect(spawn).toHaveBeenCalledTimes(3)
  })

  it('that break down three times without a checkpoint fail the run, and only that', async () => {
    const breaks: (TrainEvent | 'breaks')[] = ['breaks']
    const { all, first } = await executeBreaking([breaks, [saved(1), 'breaks'], ['breaks'], ['breaks']])
    expect(all.at(-1)).toMatchObject({ trained: 3, failed: 1 })
    expect(first.at(-1)).toMatchObject({
      type: 'failed',
      message: expect.stringMatching(/^lost its process 3 times .*: SIGKILL; probably out of memory, .*--jobs/),
    })
    expect(first.filter(({ type }) => type === 'interrupted')).toHaveLength(3)
  })

  it('that break down while they evaluate the notebook are asked in another one, three times at most', async () => {
    let asked = 0
    const { jobs, spawn, breakDown } = jobsThat(1, {
      ...{ begin: async () => {}, interrupt: async () => {}, next: async () => null },
      knows: async () => {
        if (++asked === 2) return true
        breakDown('SIGKILL')
        return never()
      },
    })
    expect(await jobs.runnerOf('s', {}).places(['k'], signal)).toHaveLength(1)
    await expect(jobs.runnerOf('s', {}).places(['k'], signal)).rejects.toThrow(/^lost its process 3 times/)
    expect(spawn).toHaveBeenCalledTimes(4)
  })

  it('are asked with the options of the study, and end before they were started, too', async () => {
    const asked: unknown[] = []
    const { jobs, end } = jobsThat(1, {
      ...{ begin: async () => {}, interrupt: async () => {}, next: async () => null },
      knows: async (...given) => {
        asked.push(given)
        return false
      },
    })
    await jobs.close()
    const options = { quick: true, only: ['plain'], seeds: 2, planOnly: false }
    const refused = { code: 'notebook', message: "study 's' is another each time the notebook is evaluated" }
    await expect(jobs.runnerOf('s', options).places(['k'], signal)).rejects.toMatchObject(refused)
    expect(asked).toEqual([['s', { quick: true, only: ['plain'], seeds: 2 }, ['k']]])
    expect(end).not.toHaveBeenCalled()
  })

  it('are interrupted where that was asked while the run began, and hear of it no more after', async () => {
    const { signal, abort } = (() => {
      const controller = new AbortController()
      return { signal: controller.signal, abort: () => controller.abort() }
    })()
    const interrupt = vi.fn(async () => {})
    const events: TrainEvent[][] = [[{ type: 'interrupted', step: 0 }]]
    const { jobs } = jobsThat(1, {
      knows: async () => true,
      begin: async () => abort(),
      interrupt,
      next: async () => events.shift() ?? null,
    })
    const [place] = (await jobs.runnerOf('s', {}).places([], signal)) ?? []
    for await (const event of eventsAt(place)) expect(event.type).toBe('interrupted')
    expect(interrupt).toHaveBeenCalledTimes(1)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('say at which step a run failed that they still answer for', async () => {
    const events: TrainEvent[][] = [[{ type: 'step', step: 3, ms: 1 }]]
    const { jobs } = jobsThat(1, {
      ...{ knows: async () => true, begin: async () => {}, interrupt: async () => {} },
      next: async () => events.shift() ?? Promise.reject(new Error('out of memory')),
    })
    const [place] = (await jobs.runnerOf('s', {}).places([], signal)) ?? []
    const told: TrainEvent[] = []
    for await (const event of eventsAt(place)) told.push(event)
    expect(told.at(-1)).toEqual({ type: 'failed', step: 3, message: 'out of memory' })
  })

  it('are all interrupted together, and ended when closed', async () => {
    const abort = new AbortController()
    const stops: (() => void)[] = []
    const interrupt = vi.fn(async () => {
      for (const stop of stops.splice(0)) stop()
    })
    let begun = 0
    const { jobs, spawn, end } = jobsThat(2, {
      knows: async () => true,
      begin: async () => {},
      interrupt,
      next: async () => {
        begun += 1
        if (begun > 2) return null
        if (begun === 2) setTimeout(() => abort.abort())
        await new Promise<void>((stop) => stops.push(stop))
        return [{ type: 'interrupted', step: 2 }]
      },
    })
    const runs = memoryRuns()
    const { signal } = abort
    const events = await execute(study(), runs, {
      signal,
      runner: jobs.runnerOf('s', {}),
    })
    expect(events.at(-1)).toMatchObject({ trained: 0, interrupted: true })
    expect(runs.started.map(({ events }) => events.at(-1)?.type)).toEqual(['interrupted', 'interrupted'])
    expect(spawn).toHaveBeenCalledTimes(2)
    expect(interrupt).toHaveBeenCalledTimes(2)
    await jobs.close()
    expect(end).toHaveBeenCalledTimes(2)
  })
})
