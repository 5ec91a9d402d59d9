import '@tensorflow/tfjs'
import * as tf from '@tensorflow/tfjs-core'
import { expect, it } from 'vitest'
import { resolveTask, taskKind } from '../../../engine/tasks/index.ts'
import type { Batch, TaskSpec } from '../../../engine/tasks/types.ts'
import { memoryFiles } from '../data/memory-files.ts'

const of = (
  task: string,
  dataset: string,
  options: Record<string, unknown>,
  more: Record<string, unknown> = {},
): TaskSpec => ({
  ...{ kind: 'task', task, options: { data: { dataset, options }, ...more } },
})
const few = { train: 20, test: 10 }
const tasks = [
  of('image', 'shapes', { ...few, size: 16 }),
  of('points', 'solids', { ...few, points: 16 }),
  of('segment', 'scenes', { ...few, size: 16 }),
  of('regression', 'discs', { ...few, size: 16 }),
  of('forecast', 'seasons', { train: 4, test: 2, steps: 24 }, { window: 12, horizon: 4 }),
  of('sequence', 'world', few, { tokens: 16 }),
  of('pair', 'world', few, { tokens: 24 }),
  of('mlm', 'world', few, { tokens: 16 }),
  of('clm', 'world', few, { tokens: 16 }),
]

/** The rows of a tensor, as lists of numbers. */
async function rowsOf(tensor: tf.Tensor): Promise<number[][]> {
  const values = Array.from(await tensor.data())
  const size = values.length / (tensor.shape[0] ?? 1)
  return Array.from({ length: tensor.shape[0] ?? 0 }, (_, i) => values.slice(i * size, (i + 1) * size))
}

it.each(tasks.map((spec) => [spec.task, spec] as const))(
  'single examples of %s are those that are evaluated, and something is known of them',
  async (name, spec) => {
    const before = tf.memory().numTensors
    const task = await taskKind(name).open(resolveTask(spec).options, memoryFiles({}))
    const wanted = [5, 0, 2]
    const all: Batch[] = []
    for await (const batch of task.evalBatches('test', 4, 8)) all.push(batch)
    let seen = 0
    for await (const single of task.examplesAt?.('test', wanted) ?? []) {
      for (const [part, tensor] of Object.entries(single)) {
        const rows = (await Promise.all(all.map((batch) => rowsOf(batch[part] as tf.Tensor)))).flat()
        expect(await rowsOf(tensor), part).toEqual(wanted.map((index) => rows[index]))
      }
      seen += 1
      tf.dispose(single)
    }
    expect(seen).toBe(1)
    tf.dispose(all)
    expect(tf.memory().numTensors).toBe(before)
    const known = task.knownOf?.('test')
    expect(known?.size).toBeGreaterThan(7)
    expect(known?.planted !== undefined).toBe(!['mlm', 'clm'].includes(name))
    expect(known?.groupOf?.(9)).toBe(name === 'forecast' ? 1 : undefined)
    const texts = await task.textsOf?.('test', [1])
    expect(texts?.[0]?.map((text) => text.name)).toEqual({ sequence: ['text'], pair: ['first', 'second'] }[name])
  },
)
