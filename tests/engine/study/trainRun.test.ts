import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import type { FileSource } from '../../../engine/data/files.ts'
import { add, block, compare, dense, image, shapes } from '../../../engine/index.ts'
import { noteProvenance } from '../../../engine/notebook/provenance.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { PlannedRun } from '../../../engine/records/run.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { openStudy } from '../../../engine/study/open.ts'
import type { OpenStudy } from '../../../engine/study/opened.ts'
import { trainRun } from '../../../engine/study/trainRun.ts'
import type { Task } from '../../../engine/tasks/types.ts'
import { memoryRuns } from './memory-runs.ts'

const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))
const files: FileSource = {
  list: () => Promise.reject(new Error('none')),
  read: () => Promise.reject(new Error('none')),
}
const study = (variants = { plain }) => {
  const task = image({ data: shapes({ train: 16, test: 8 }) })
  const train = { steps: 4, batch: 8, logEvery: 1 }
  return compare('s', { task, model: { patch: 16, dim: 8, depth: 1 }, train, seeds: 2, variants })
}
const opened = (variants = { plain }) => openStudy(study(variants), {}, files)

async function trained(open: OpenStudy, more = {}): Promise<TrainEvent[]> {
  const run = open.planned[0] as PlannedRun
  const events: TrainEvent[] = []
  const before = tf.memory().numTensors
  for await (const event of trainRun(run, 1, open, { runs: memoryRuns(), ...more })) events.push(event)
  expect(tf.memory().numTensors).toBe(before)
  return events
}

/** A task whose training data break after so many batches. */
const broken = (task: Task, after: number): Task => ({
  ...task,
  async *trainBatches(...given) {
    let left = after
    for await (const batch of task.trainBatches(...given)) {
      if (left === 0) {
        tf.dispose(batch)
        throw new Error('the disk is gone')
      }
      left -= 1
      yield batch
    }
  },
})

describe('trainRun', () => {
  it('says what the model costs, and nothing of weights that it was not given', async () => {
    const [start] = await trained(await opened())
    expect(start).toEqual({
      ...{ type: 'start', steps: 4, parameters: expect.any(Number) },
      macs: 4 * 768 * 8 + 4 * 8 * 8 + 8 * 10,
    })
  })

  it('says how much it took from the run that it starts from', async () => {
    const runs = memoryRuns()
    const before = study()
    const backend = { name: 'cpu', device: 'test' } as const
    const executed = executeStudy(before, { runs, files, backend })
    while (!(await executed.next()).done);
    const next = compare('next', { ...before.spec, from: before })
    const [start] = await trained(await openStudy(next, {}, files), { runs })
    expect(start).toMatchObject({ type: 'start', parameters: expect.any(Number) })
    expect(start).toHaveProperty('taken', (start as { parameters: number }).parameters)
  })

  it('counts the cost of a variant once', async () => {
    const open = await opened()
    let made = 0
    const counted = withTask(open, (task) => ({
      ...task,
      model: (...given) => {
        made += 1
        return task.model(...given)
      },
    }))
    await trained(counted)
    expect(made).toBe(2) // to train, and to count
    await trained(counted)
    expect(made).toBe(3)
  })

  it('trains the variant of the run, from its seed', async () => {
    const events = async (at: number) => {
      const open = await opened()
      return trained({ ...open, planned: [open.planned[at] as PlannedRun] })
    }
    const losses = (all: TrainEvent[]) =>
      all.flatMap((each) => (each.type === 'metric' && each.name === 'train/loss' ? [each.value] : []))
    const [first, second, again] = [losses(await events(0)), losses(await events(1)), losses(await events(0))]
    expect(first).toHaveLength(4)
    expect(again).toEqual(first)
    expect(second).not.toEqual(first)
  })

  it('ends with what went wrong and the step at which it did', async () => {
    const open = await opened()
    const failed = async (after: number) => (await trained(withTask(open, (task) => broken(task, after)))).at(-1)
    expect(await failed(0)).toEqual({ type: 'failed', step: 0, message: 'the disk is gone' })
    expect(await failed(2)).toEqual({ type: 'failed', step: 2, message: 'the disk is gone' })
  })

  it('names the line of the cell that the block is from', async () => {
    const bad = block('bad', () => {
      const error = new Error('no such layer')
      error.stack = 'Error: no such layer\n    at mine (mixlab:cell/mine:5:3)'
      throw error
    })
    noteProvenance(bad.origin, { cell: 'mine', name: 'bad', fingerprint: 'f', code: '' })
    const [event] = await trained(await opened({ plain: bad as never }))
    expect(event).toMatchObject({
      type: 'failed',
      step: 0,
      message: expect.stringMatching(/^mine:3: .*no such layer$/),
    })
  })

  it('reads the state of its own run', async () => {
    const asked: number[] = []
    const runs = {
      ...memoryRuns(),
      readState: async (id: number) => {
        asked.push(id)
        return null
      },
    }
    await trained(await opened(), { runs })
    expect(asked).toEqual([1])
  })

  it('stops between steps when told to', async () => {
    const events = await trained(await opened(), { signal: AbortSignal.abort() })
    expect(events.map(({ type }) => type)).toEqual(['start', 'interrupted'])
  })
})

/** A study whose tasks are other ones. */
function withTask(open: OpenStudy, change: (task: Task) => Task): OpenStudy {
  return { ...open, variants: open.variants.map((variant) => ({ ...variant, opened: change(variant.opened) })) }
}
