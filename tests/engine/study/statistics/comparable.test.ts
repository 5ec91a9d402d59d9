import { describe, expect, it } from 'vitest'
import { differencesOf } from '../../../../engine/study/statistics/comparable.ts'

const spec = {
  numerics: 3,
  data: 'a'.repeat(64),
  model: { dim: 8, block: 'gmlp' },
  train: { steps: 100, batch: 64, optimizer: { optimizer: 'adamw', options: { learningRate: 0.001 } } },
  seed: 1,
  task: { kind: 'task', task: 'image', options: { data: { kind: 'shapes', train: 64 } } },
  from: { key: 'k', study: 'pre', variant: 'gmlp', seed: 1 },
}

describe('differencesOf', () => {
  it('lets the model differ, and what the same variant has learned before', () => {
    const other = {
      ...spec,
      model: { dim: 16, block: 'mixer', code: 'x' },
      from: { ...spec.from, key: 'l', variant: 'm' },
    }
    expect(differencesOf(spec, other)).toEqual([])
  })

  it.each([
    ['the batch', { train: { ...spec.train, batch: 128 } }, ['train.batch 64 and 128']],
    [
      'an option of the optimizer',
      { train: { ...spec.train, optimizer: { optimizer: 'adamw', options: { learningRate: 0.01 } } } },
      ['train.optimizer.learningRate 0.001 and 0.01'],
    ],
    ['an option that one does not have', { train: { ...spec.train, clip: 1 } }, ['train.clip none and 1']],
    ['the numerics', { numerics: 4 }, ['numerics 3 and 4']],
    [
      'the data, by the options of the task',
      { data: 'b'.repeat(64), task: { ...spec.task, options: { data: { kind: 'shapes', train: 32 } } } },
      ['task.data.train 64 and 32'],
    ],
    ['the data, by their hash', { data: 'b'.repeat(64) }, ['data aaaaaaaaaaaa… and bbbbbbbbbbbb…']],
    ['the task', { task: { ...spec.task, task: 'text' } }, ['task.task image and text']],
    [
      'what a cell defines, by what it does',
      { definitions: { schedule: { digest: 'd', code: 'c' } } },
      ['definitions.schedule none and d'],
    ],
    ['the metric that chose the weights', { metric: 'loss' }, ['metric none and loss']],
    ['where they start from', { from: { ...spec.from, study: 'other' } }, ['from.study pre and other']],
    [
      'whether they start from anything',
      { from: undefined },
      [expect.stringMatching(/^from \{"key":"k",.*… and none$/)],
    ],
  ])('names %s', (_, change, expected) => {
    expect(differencesOf(spec, { ...spec, ...change })).toEqual(expected)
  })

  it('cuts what is longer than 24 letters', () => {
    const named = (letter: string, length: number) => ({ ...spec, data: letter.repeat(length) })
    expect(differencesOf(named('a', 24), named('b', 25))).toEqual([`data ${'a'.repeat(24)} and ${'b'.repeat(12)}…`])
  })

  it('knows the same data in another folder', () => {
    const task = { ...spec.task, options: { data: { kind: 'shapes', train: 64, folder: 'elsewhere' } } }
    expect(differencesOf(spec, { ...spec, task })).toEqual([])
  })

  it('knows a metric by what it computes, and one of an earlier version by its cell', () => {
    const measured = (own: unknown) => ({ ...spec, metrics: { own } })
    const differences = (a: unknown, b: unknown) => differencesOf(measured(a), measured(b), 'test/own')
    expect(differences({ digest: 'd', code: 'a' }, { digest: 'd', code: 'b' })).toEqual([])
    expect(differences({ digest: 'd', code: 'a' }, 'a')).toEqual([])
    expect(differences({ digest: 'd', code: 'a' }, { digest: 'e', code: 'a' })).toEqual(['metrics.own d and e'])
    expect(differences({ digest: 'd', code: 'a' }, 'b')).toEqual(['metrics.own a and b'])
  })

  it('says nothing of what is no spec', () => {
    expect(differencesOf(null, 'text')).toEqual([])
  })

  it('lets differ what follows from a schedule, a task or an optimizer that is meant to', () => {
    const own = { ...spec, train: { ...spec.train, schedule: 'mine', warmup: 0 }, definitions: { schedule: 'e' } }
    expect(differencesOf(spec, own, '', new Set(['train.schedule']))).toEqual([])
    const codes = [
      { digest: 'd', code: 'a' },
      { digest: 'd', code: 'b' },
    ]
    const [a, b] = codes.map((schedule) => ({ ...spec, definitions: { schedule } }))
    expect(differencesOf(a, b)).toEqual([])
  })
})
