import { expect, it } from 'vitest'
import { adamw, compare, gmlp, image, mixer, shapes } from '../../../engine/index.ts'
import type { Preflight } from '../../../engine/records/preflight.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'
import { executeStudy, type StudyEnvironment } from '../../../engine/study/execute.ts'
import { memoryFiles } from '../data/memory-files.ts'
import { memoryRuns } from './memory-runs.ts'

const backend = { name: 'cpu', device: 'test' } as const
const study = () =>
  compare('s', {
    task: image({ data: shapes({ train: 16, test: 4 }) }),
    model: { patch: 16, dim: 8, depth: 1 },
    variants: { gmlp, fast: { block: gmlp, train: { optimizer: adamw({ learningRate: 0.1 }) } }, mixer },
    train: { steps: 1, batch: 4 },
    seeds: 1,
  })

async function execute(more: Partial<StudyEnvironment>, runs = memoryRuns()): Promise<StudyEvent[]> {
  const events: StudyEvent[] = []
  for await (const event of executeStudy(study(), { runs, files: memoryFiles({}), backend, ...more }))
    events.push(event)
  return events
}

it('looks at the variants that are trained, once for the same model, after the plan and before the first run', async () => {
  const looked: string[] = []
  const known = { parameters: 1, macs: 2, program: null, exported: null, wrong: null }
  const preflight: StudyEnvironment['preflight'] = async ({ name }, on): Promise<Preflight> => {
    looked.push(`${name} on ${on}`)
    return { variant: name, ...known }
  }
  const runs = memoryRuns()
  const events = await execute({ preflight }, runs)
  expect(looked).toEqual(['gmlp on cpu', 'mixer on cpu'])
  expect(events.slice(0, 3).map(({ type }) => type)).toEqual(['plan', 'preflight', 'begin'])
  expect(events[1]).toEqual({
    type: 'preflight',
    study: 's',
    variants: ['gmlp', 'fast', 'mixer'].map((variant) => ({ variant, ...known })),
    left: [],
  })
  const again = await execute({ preflight }, runs)
  expect(again.map(({ type }) => type)).not.toContain('preflight')
})

it('trains whatever a look at a variant comes to', async () => {
  const events = await execute({ preflight: () => Promise.reject(new Error('no')) })
  expect(events.map(({ type }) => type)).not.toContain('preflight')
  expect(events.at(-1)).toMatchObject({ type: 'end', trained: 3, failed: 0 })
})

it('names the variants that there was no time to look at', async () => {
  const { now } = performance
  let later = 0
  performance.now = () => now.call(performance) + later
  try {
    const preflight: StudyEnvironment['preflight'] = async ({ name }): Promise<Preflight> => {
      later += 10_000
      return { variant: name, parameters: 1, macs: 2, program: null, exported: null, wrong: null }
    }
    const events = await execute({ preflight })
    expect(events.find(({ type }) => type === 'preflight')).toMatchObject({ left: ['mixer'] })
  } finally {
    performance.now = now
  }
})
