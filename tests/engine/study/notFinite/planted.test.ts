import * as tf from '@tensorflow/tfjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageOf } from '../../../../engine/errors.ts'
import * as mixlab from '../../../../engine/index.ts'
import { evaluateAll } from '../../../../engine/notebook/index.ts'
import type { TrainEvent } from '../../../../engine/records/events.ts'
import { executeStudy } from '../../../../engine/study/execute.ts'
import { onSimd } from '../../backends/simd/setup.ts'
import { memoryFiles } from '../../data/memory-files.ts'
import { memoryRuns } from '../memory-runs.ts'
import { lineOf, PLANTED } from './planted.ts'

/** All events of the study of a notebook, by variant. */
async function eventsOf(source: string): Promise<Map<string, TrainEvent[]>> {
  const cells = await evaluateAll(source, { mixlab, '@tensorflow/tfjs': tf }, { console })
  const study = cells.get('study')?.value as Parameters<typeof executeStudy>[0]
  const around = { runs: memoryRuns(), files: memoryFiles({}), backend: { name: 'simd', device: 'test' } as const }
  const variants = new Map<string, string>()
  const events = new Map<string, TrainEvent[]>()
  for await (const event of executeStudy(study, around)) {
    if (event.type === 'plan') for (const { key, variant } of event.runs) variants.set(key, variant)
    if (event.type !== 'run') continue
    const variant = variants.get(event.key) ?? ''
    events.set(variant, [...(events.get(variant) ?? []), event.event])
  }
  return events
}

const failure = (events: TrainEvent[]) => events.find((event) => event.type === 'failed')?.message ?? 'did not fail'

describe('a value that is not finite, planted in', () => {
  onSimd()
  const limit = Error.stackTraceLimit
  beforeAll(() => {
    Error.stackTraceLimit = 50 // as in the kernel
  })
  afterAll(() => {
    Error.stackTraceLimit = limit
  })
  it.each(PLANTED)('a cell is traced to its line: %#', async ({ source, says }) => {
    const before = tf.memory().numTensors
    const events = await eventsOf(source).catch((error) => messageOf(error))
    for (const [name, text] of Object.entries(says)) {
      const said = typeof events === 'string' ? events : failure(events.get(name) ?? [])
      expect(said.slice(0, lineOf(source, name).length + 2 + text.length)).toBe(`${lineOf(source, name)}: ${text}`)
    }
    expect(tf.memory().numTensors).toBe(before)
    if (typeof events === 'string' || !says.fast) return
    // done again from the checkpoint after step 6, to the bit
    const losses = (events.get('fast') ?? []).flatMap((event) =>
      event.type === 'metric' && event.name === 'train/loss' && event.step === 7 ? [event.value] : [],
    )
    expect(failure(events.get('fast') ?? [])).toContain(
      `; at step 7 the loss was ${Number((losses[0] ?? 0).toPrecision(3))}, the gradient norm 85.9; try a learning rate below 3`,
    )
  })
})
