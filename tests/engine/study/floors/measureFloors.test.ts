import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { dataset, discs, scenes, textFiles } from '../../../../engine/data/index.ts'
import type { TaskFloors } from '../../../../engine/records/design.ts'
import { measureFloors } from '../../../../engine/study/floors/measureFloors.ts'
import { bigrams, frequencies, linear, nearestMean } from '../../../../engine/study/floors/simpleModels.ts'
import {
  clm,
  image,
  mlm,
  regression,
  resolveTask,
  segment,
  type TaskSpec,
  taskKind,
} from '../../../../engine/tasks/index.ts'
import { memoryFiles } from '../../data/memory-files.ts'

const pause = async () => {}

async function floorsOf(spec: TaskSpec): Promise<TaskFloors> {
  const { task, options } = resolveTask(spec)
  const before = tf.memory().numTensors
  const floors = await measureFloors(await taskKind(task).open(options, memoryFiles({})), pause)
  expect(tf.memory().numTensors).toBe(before)
  return floors as TaskFloors
}
const reached = ({ models }: TaskFloors, model: string, metric: string) =>
  models.find(({ name }) => name === model)?.values[metric] ?? Number.NaN

describe('the simple models', () => {
  it('say how often each class is there, and never two as often', () => {
    const logits = frequencies(Int32Array.of(0, 1, 1, 2), 2, 3) // place 0 has 0 and 1, place 1 has 1 and 2
    expect([...logits].map(Math.exp).map((share) => share.toFixed(2))).toEqual([
      '0.40',
      '0.40',
      '0.20',
      '0.20',
      '0.40',
      '0.40',
    ])
    expect(logits[0]).toBeGreaterThan(logits[1] as number)
  })

  it('find the class whose mean is nearest, and no class that was never seen', () => {
    const fitted = nearestMean({ rows: 2, width: 1, inputs: Float32Array.of(0, 4) }, Int32Array.of(0, 1), 3)
    const said = new Float32Array(3)
    fitted(Float32Array.of(3), 0, said, 0)
    expect(said.indexOf(Math.max(...said))).toBe(1)
  })

  it('fit a line, to the same numbers each time', async () => {
    const inputs = Float32Array.from({ length: 200 }, (_, i) => (i % 20) / 20)
    const train = { rows: 200, width: 1, inputs, numbers: inputs.map((x) => 3 * x - 1) }
    const [one, other] = [await linear(train, train, 1, pause), await linear(train, train, 1, pause)]
    const said = new Float32Array(2)
    one(Float32Array.of(0.5), 0, said, 0)
    other(Float32Array.of(0.5), 0, said, 1)
    expect(said[0]).toBeCloseTo(0.5, 1)
    expect(said[0]).toBe(said[1])
  })

  it('count what follows a token, and fall back on all tokens', () => {
    const known = bigrams([[1, 2], [1, 2], [3, 0]], 4) // biome-ignore format: pairs
    const said = new Float32Array(4)
    known.after(1, said, 0)
    expect(said.indexOf(Math.max(...said))).toBe(2)
    expect(said.reduce((sum, each) => sum + Math.exp(each), 0)).toBeCloseTo(1, 3)
    known.after(2, said, 0)
    expect([...said]).toEqual([...known.unigram])
  })
})

describe('the floors of a task', () => {
  const bright = dataset('bright', {
    ...{ train: 96, validation: 16, test: 32, classes: ['dark', 'bright'] },
    make: ({ uniform }) => {
      const label = uniform('label') < 0.25 ? 1 : 0
      return { image: [0, 1].map(() => [0, 1].map(() => [label ? 0.9 : 0.1])), label }
    },
  })

  it('of images are chance, the nearest mean and a logistic regression, by all metrics of the test', async () => {
    const floors = await floorsOf(image({ data: bright }))
    expect(floors).toMatchObject({ train: 96, test: 32, fitted: 96, measured: 32 })
    expect(reached(floors, 'chance', 'test/accuracy')).toBeGreaterThan(0.5)
    expect(reached(floors, 'nearest class mean', 'test/accuracy')).toBe(1)
    expect(reached(floors, 'logistic regression', 'test/accuracy')).toBe(1)
    expect(reached(floors, 'logistic regression', 'test/loss')).toBeLessThan(reached(floors, 'chance', 'test/loss'))
  })

  const many = dataset('many', {
    ...{ train: 2500, validation: 16, test: 1100, classes: ['dark', 'bright'] },
    make: ({ uniform }) => ({ image: [[[uniform('pixel')]]], label: uniform('label') < 0.5 ? 1 : 0 }),
  })

  it('are of so many examples at most, and say so', async () => {
    const floors = await floorsOf(image({ data: many }))
    expect(floors).toMatchObject({ train: 2500, fitted: 2048, test: 1100, measured: 1024 })
  })

  it('of a language are unigram and bigram', async () => {
    const text = Array.from({ length: 3000 }, (_, i) => ['a b', 'c d', 'e f'][(i * i) % 3]).join(' ')
    const data = textFiles({ path: 'texts' })
    for (const task of [clm({ data, tokens: 8 }), mlm({ data, tokens: 8 })]) {
      const { task: name, options } = resolveTask(task)
      const opened = await taskKind(name).open(options, memoryFiles({ 'texts/a.txt': new TextEncoder().encode(text) }))
      const floors = (await measureFloors(opened, pause)) as TaskFloors
      expect(reached(floors, 'bigram', 'test/accuracy')).toBeGreaterThan(reached(floors, 'unigram', 'test/accuracy'))
      expect(Math.exp(reached(floors, 'bigram', 'test/loss'))).toBeCloseTo(
        reached(floors, 'bigram', 'test/perplexity'),
        4,
      )
    }
  })

  it('of numbers are mean and a line, of scenes the majority per place', async () => {
    const numbers = await floorsOf(regression({ data: discs({ train: 64, test: 16 }) }))
    expect(numbers.models.map(({ name }) => name)).toEqual(['mean', 'linear regression'])
    expect(Math.abs(reached(numbers, 'mean', 'test/r2'))).toBeLessThan(0.3)
    const places = await floorsOf(segment({ data: scenes({ size: 16, train: 32, test: 8 }) }))
    expect(reached(places, 'majority per place', 'test/accuracy')).toBeGreaterThan(0.3)
  })
})
