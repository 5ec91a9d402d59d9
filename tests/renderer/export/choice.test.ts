import { beforeEach, describe, expect, it } from 'vitest'
import type { MetricSummary } from '../../../engine/records/run.ts'
import { exportBlocker, foldOffer, lastChoice, rememberChoice, weightsOf } from '../../../renderer/export/choice.ts'
import { stubStorage } from '../storage.ts'

const kept = stubStorage()
beforeEach(() => kept.clear())

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
  const tests = { 'chosen/step': { last: 15 } as MetricSummary }
  const plain = { run: { id: 1, metrics: tests, spec: { train: {} } }, kept: [] }
  const best = (step: number) => ({ which: 'best' as const, step })
  const last = (step: number) => ({ which: 'last' as const, step })
  const averaged = { id: 2, metrics: {}, spec: { train: { ema: 0.99 } } }

  it('are those of the test, the last ones and those of steps', () => {
    const all = [{ which: 10, step: 10 }, best(15), last(20)]
    expect(weightsOf([{ ...plain, kept: all }])).toEqual([
      ['tested', 'of the test, step 15'],
      ['last', 'last, step 20'],
      [10, 'step 10'],
    ])
    expect(weightsOf([{ run: averaged, kept: all.slice(2) }])).toEqual([['tested', 'last, step 20, moving average']])
    expect(weightsOf([{ run: averaged, kept: all.slice(1) }])).toEqual([
      ['tested', 'chosen by validation until now, step 15, moving average'],
      ['last', 'last, step 20, moving average'],
    ])
  })
  it('are those that all runs have', () => {
    const one = { ...plain, kept: [best(15), last(20)] }
    const other = { run: averaged, kept: [{ which: 5, step: 5 }, last(30)] }
    expect(weightsOf([one, other])).toEqual([
      ['tested', 'chosen by validation until now, each at its step'],
      ['last', 'last, each at its step'],
    ])
    expect(weightsOf([])).toEqual([])
    expect(weightsOf([{ ...plain, kept: [] }])).toEqual([])
  })
  it('are the best ones, too, where the test was made with the last', () => {
    const old = { ...plain.run, metrics: { 'eval/accuracy': { last: 0.5, lastStep: 20 } as MetricSummary } }
    expect(weightsOf([{ run: old, kept: [best(15), last(20)] }])).toEqual([
      ['tested', 'of the test, step 20'],
      ['best', 'best, step 15'],
    ])
  })
})

it('says why a run cannot leave', () => {
  expect(exportBlocker({ status: 'running', hasWeights: true })).toMatch('still training')
  expect(exportBlocker({ status: 'failed', hasWeights: false })).toBe('keeps no weights')
  expect(exportBlocker({ status: 'interrupted', hasWeights: true })).toBeNull()
})

it('folds a ResMLP for images, RepMLP blocks that are not folded yet, and convolutions beside matrices', () => {
  const of = (task: string, ...models: object[]) =>
    foldOffer(models.map((model) => ({ spec: { model, task: { task } } })))
  const repmlp = { block: 'repmlp_net' }
  expect(of('image', { block: 'resmlp' })).toBe('fold affine layers into their neighbours')
  expect(of('pair', repmlp)).toMatch(/^merge BatchNorm/)
  expect(of('image', { block: 'pyramid', parts: [{ block: 'mixer' }, { block: 'repmlp' }] })).not.toBeNull()
  expect(of('image', { block: 'mixer', locality: [1, 3] })).toMatch(/^merge BatchNorm/)
  expect(of('image', { block: 'resmlp', locality: [3] })).toBe(
    'fold affine layers and convolutions into their neighbours',
  )
  for (const model of [{ block: 'mixer' }, { block: 'mixer', locality: [] }, { ...repmlp, folded: true }, {}]) {
    expect(of('image', repmlp, model)).toBeNull()
  }
  expect(of('sequence', { block: 'resmlp' })).toBeNull()
  expect(foldOffer([{ spec: {} }])).toBeNull()
  expect(foldOffer([])).toBeNull()
})
