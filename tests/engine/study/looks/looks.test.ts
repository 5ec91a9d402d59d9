import { describe, expect, it } from 'vitest'
import { adamw, add, block, compare, dense, image, mixer, shapes } from '../../../../engine/index.ts'
import type { TrainEvent } from '../../../../engine/records/events.ts'
import type { PlannedRun, StoredRun, StudyEvent } from '../../../../engine/records/run.ts'
import { executeStudy } from '../../../../engine/study/execute.ts'
import { type Place, placeFrom } from '../../../../engine/study/runners/runner.ts'
import { memoryRuns } from '../memory-runs.ts'

const task = image({ data: shapes({ train: 64, test: 20 }) })
const model = { patch: 16, dim: 8, depth: 1 }
const train = { steps: 3, batch: 8, optimizer: adamw() }
const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))
const files = { list: () => Promise.reject(new Error('none')), read: () => Promise.reject(new Error('none')) }
const backend = { name: 'cpu', device: 'test' } as const
const study = (seeds: number | { upTo: number } = { upTo: 12 }) =>
  compare('s', { task, model, train, seeds, variants: { plain, mixer: mixer(), third: mixer({ ffn: 12 }) } })

/** What a run comes to: its accuracy, or why it fails. */
type Value = (run: PlannedRun) => number | string

/** Runs in memory, which are never trained: each has the value that it is given. */
function fake(value: Value) {
  const runs = memoryRuns()
  const place = placeFrom(async function* (run): AsyncGenerator<TrainEvent> {
    yield { type: 'start', steps: 3, parameters: 1 }
    const came = value(run)
    if (typeof came === 'string') {
      yield { type: 'failed', step: 1, message: came }
      return
    }
    yield { type: 'metric', step: 3, name: 'test/accuracy', value: came, meaning: { better: 'higher', unit: 'share' } }
    yield { type: 'done', step: 3 }
  })
  const stored = (run: (typeof runs.started)[number], i: number): StoredRun[] => {
    const status = run.events.at(-1)?.type
    if (status !== 'done' && status !== 'failed') return []
    const metrics = run.events.flatMap((event) =>
      event.type === 'metric' ? [[event.name, { last: event.value, best: event.value, meaning: event.meaning }]] : [],
    )
    const error = run.events.flatMap((event) => (event.type === 'failed' ? [event.message] : [])).at(-1) ?? null
    return [{ ...run, id: i + 1, status, error, metrics: Object.fromEntries(metrics) } as unknown as StoredRun]
  }
  runs.lookAt = async (keys) => runs.started.flatMap(stored).filter(({ key }) => keys.includes(key))
  const execute = async (spec = study(), places = 1, more = {}) => {
    const events: StudyEvent[] = []
    const runner = { places: async () => Array.from({ length: places }, () => place) }
    for await (const event of executeStudy(spec, { runs, files, backend, runner, ...more })) events.push(event)
    return { events, stopped: events.flatMap((event) => (event.type === 'stopped' ? [event] : [])) }
  }
  const trained = () => runs.started.map(({ variant, seed }) => `${variant} ${seed}`)
  return { runs, execute, trained, place }
}

const better: Value = ({ variant, seed }) => (variant === 'plain' ? 0.5 : 0.6) + seed / 1000

describe('a study that is looked at after every seed', () => {
  it('ends with the seed that decides, and does not train the others', async () => {
    const { execute, trained } = fake(better)
    const { events, stopped } = await execute()
    expect(stopped).toEqual([
      { type: 'stopped', study: 's', keys: expect.any(Array), text: 'decided with seed 7 of at most 12' },
    ])
    expect(stopped[0]?.keys).toHaveLength(15)
    expect(trained()).toHaveLength(21)
    expect(trained().slice(0, 4)).toEqual(['plain 1', 'mixer 1', 'third 1', 'plain 2'])
    expect(events.at(-1)).toEqual({ type: 'end', trained: 21, cached: 0, failed: 0, interrupted: false })
  })

  it('goes on to the same stop after it was interrupted, and is not begun again once it has ended', async () => {
    const { runs, execute, trained } = fake(better)
    const stop = new AbortController()
    const record = runs.record
    runs.record = async (...given) => {
      if (trained().length === 10) stop.abort()
      return record(...given)
    }
    expect((await execute(study(), 1, { signal: stop.signal })).stopped).toEqual([])
    expect(trained()).toHaveLength(10)
    runs.record = record
    expect((await execute()).stopped[0]?.text).toBe('decided with seed 7 of at most 12')
    expect(trained()).toHaveLength(21)
    const again = await execute()
    expect(again.stopped[0]?.keys).toHaveLength(15)
    expect(again.events.at(-1)).toMatchObject({ trained: 0, cached: 21 })
  })

  it('takes back what a queue was offered and nobody has begun', async () => {
    const { execute, trained, place } = fake(better)
    let free: Promise<unknown> = Promise.resolve() // the one machine at the queue
    const queue: Place = {
      async attempt(run, back) {
        const before = free
        const over = Promise.withResolvers<void>()
        free = over.promise
        back?.addEventListener('abort', () => over.resolve())
        await before
        const attempt = back?.aborted ? null : await place.attempt(run)
        if (!attempt) return null
        const events: typeof attempt.events = async function* (...given) {
          yield* attempt.events(...given)
          over.resolve()
        }
        return { ...attempt, events }
      },
    }
    const runner = { places: async (keys: string[]) => keys.map(() => queue) }
    const { events, stopped } = await execute(study(), 1, { runner })
    expect(stopped[0]?.keys.length).toBeGreaterThan(0)
    expect(trained()).toHaveLength(36 - (stopped[0]?.keys.length ?? 0))
    expect(trained().length - 21).toBeLessThanOrEqual(1)
    expect(events.at(-1)).toMatchObject({ type: 'end', failed: 0, interrupted: false })
  })

  it('trains at most one run more at each further place', async () => {
    const { execute, trained } = fake(better)
    const { stopped } = await execute(study(), 2)
    expect(stopped[0]?.text).toBe('decided with seed 7 of at most 12')
    expect(trained().length - 21).toBeLessThanOrEqual(1)
  })

  it('ends where the seeds that are left can decide nothing more', async () => {
    const { execute } = fake(({ variant, seed }) => 0.5 + (variant === 'mixer' ? 0.1 * (-1) ** seed : 0))
    const { stopped } = await execute()
    expect(stopped.map(({ text }) => text)).toEqual(['nothing more can be decided after seed 5 of at most 12'])
  })

  it('counts a run that diverged as lost, and trains a variant on whose runs fail', async () => {
    const { execute } = fake((run) => (run.variant === 'mixer' ? 'loss is NaN at step 1' : better(run)))
    const { stopped } = await execute()
    expect(stopped[0]?.text).toBe('decided with seed 7 of at most 12')
  })

  it('of a part decides by that part alone', async () => {
    const { execute } = fake(better)
    const { stopped } = await execute(study(), 1, { only: ['plain', 'mixer'] })
    expect(stopped[0]?.text).toBe('decided with seed 9 of at most 12')
  })

  it('trains all seeds of a study with fixed ones, which have the same keys', async () => {
    const { execute, trained } = fake(better)
    await execute()
    const { stopped, events } = await execute(study(12))
    expect(stopped).toEqual([])
    expect(events.at(-1)).toMatchObject({ trained: 15, cached: 21 })
    expect(trained()).toHaveLength(36)
  })
})

describe('seeds: { upTo }', () => {
  it('has seeds enough to decide anything', () => {
    expect(() => study({ upTo: 3 })).toThrow(
      's.seeds: 3 seeds cannot decide anything: where all agree the evidence is 2.4 to 1, and 20 to 1 decides; at least 7',
    )
    expect(study({ upTo: 7 }).spec.seeds).toEqual({ upTo: 7 })
  })

  it('is no list, and nothing beside a number', () => {
    const both = { upTo: 12, seeds: [1, 2] } as { upTo: number }
    const allowed = 'a whole number from 1 to 1000, a list of as many, or { upTo: 24 }'
    expect(() => study(both)).toThrow(allowed)
    expect(() => study({ upTo: 7.5 })).toThrow(allowed)
  })
})
