import { describe, expect, it } from 'vitest'
import type { FileSource } from '../../../engine/host.ts'
import * as mixlab from '../../../engine/index.ts'
import { adamw, add, block, compare, dense, image, mixer, mul, shapes } from '../../../engine/index.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import type { Study } from '../../../engine/study/compare.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import type { StudyEvent } from '../../../engine/study/types.ts'
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
