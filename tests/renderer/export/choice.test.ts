import { beforeEach, describe, expect, it, vi } from 'vitest'
import { folds, hindranceOf, lastChoice, rememberChoice, weightsOf } from '../../../renderer/export/choice.ts'

const kept = new Map<string, string>()
beforeEach(() => kept.clear())
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, text: string) => void kept.set(key, text),
})

describe('the choice', () => {
  it('is the one taken last', () => {
    expect(lastChoice()).toEqual({ format: 'onnx', card: false })
    rememberChoice({ format: 'torch', card: true })
    expect(lastChoice()).toEqual({ format: 'torch', card: true })
  })
  it.each(['{', 'null', '"torch"', '{"format":"toString","card":1}'])('begins anew where %s is remembered', (text) => {
    kept.set('mixlab.export', text)
    expect(lastChoice()).toEqual({ format: 'onnx', card: false })
  })
})

describe('weights', () => {
  const plain = { run: { spec: { train: {} } }, kept: [] }
  const averaged = { spec: { train: { ema: 0.99 } } }

  it('are the last ones, the best ones and those of steps', () => {
    const all = [
      { which: 10, step: 10 },
      { which: 'best' as const, step: 15 },
      { which: 'last' as const, step: 20 },
    ]
    expect(weightsOf([{ ...plain, kept: all }])).toEqual([
      ['last', 'last, step 20'],
      ['best', 'best, step 15'],
      [10, 'step 10'],
    ])
    expect(weightsOf([{ run: averaged, kept: all.slice(2) }])).toEqual([['last', 'last, step 20, moving average']])
  })
  it('are those that all runs have', () => {
    const one = [
      { which: 'best' as const, step: 15 },
      { which: 'last' as const, step: 20 },
    ]
    const other = [
      { which: 5, step: 5 },
      { which: 'last' as const, step: 30 },
    ]
    expect(
      weightsOf([
        { ...plain, kept: one },
        { run: averaged, kept: other },
      ]),
    ).toEqual([['last', 'last, each at its step']])
    expect(weightsOf([])).toEqual([])
  })
})

it('says why a run cannot leave', () => {
  expect(hindranceOf({ status: 'running', hasWeights: true })).toMatch('in training')
  expect(hindranceOf({ status: 'failed', hasWeights: false })).toBe('keeps no weights')
  expect(hindranceOf({ status: 'interrupted', hasWeights: true })).toBeNull()
})

it('folds a ResMLP for images alone', () => {
  const of = (block: string, task: string) => folds({ spec: { model: { block }, task: { task } } })
  expect([of('resmlp', 'image'), of('resmlp', 'sequence'), of('mixer', 'image'), folds({ spec: {} })]).toEqual([
    true,
    false,
    false,
    false,
  ])
})
