import { describe, expect, it } from 'vitest'
import { groupsOf, metricsOf } from '../../../renderer/compare/groups.ts'
import { MEANINGS } from '../../meanings.ts'
import { detailsOf, valued } from './samples.ts'

const named = (...runs: Parameters<typeof groupsOf>[0]) =>
  groupsOf(runs).map((group) => [group.name, group.runs.map(({ id }) => id)])

describe('groupsOf', () => {
  it('puts together what differs by the seed alone, by seed, in the order of the first', () => {
    const other = detailsOf(3, { variant: 'mixer' })
    expect(named(detailsOf(2), other, detailsOf(1), detailsOf(9, { seed: 1 }))).toEqual([
      ['gmlp', [1, 9, 2]],
      ['mixer', [3]],
    ])
  })

  it('tells other configurations and other code apart by a run, and studies by their name', () => {
    const wide = detailsOf(2, { spec: { numerics: 3, data: 'd', model: { dim: 16 }, train: { batch: 8 }, seed: 2 } })
    const coded = detailsOf(3, { code: '// %% block\n1\n' })
    expect(named(detailsOf(1), wide, coded).map(([name]) => name)).toEqual(['gmlp #1', 'gmlp #2', 'gmlp #3'])
    expect(named(detailsOf(1), wide, detailsOf(4, { study: 'next' })).map(([name]) => name)).toEqual([
      'gating / gmlp #1',
      'gating / gmlp #2',
      'next / gmlp',
    ])
  })

  it('does not mind the order of options', () => {
    const spec = { train: { batch: 8 }, model: { dim: 8 }, data: 'd', numerics: 3, seed: 2 }
    expect(named(detailsOf(1), detailsOf(2, { spec }))).toEqual([['gmlp', [1, 2]]])
  })
})

describe('metricsOf', () => {
  it('has all names once, what the task is about first', () => {
    const metrics = (...names: string[]) => ({
      metrics: Object.fromEntries(names.map((name) => [name, valued(1, MEANINGS[name])])),
    })
    const all = [
      metrics('train/loss', 'test/loss', 'train/step_ms'),
      metrics('test/loss', 'test/accuracy', 'lr', 'test/top5'),
    ]
    expect(metricsOf(all)).toEqual([
      ...['test/accuracy', 'test/loss', 'train/loss'],
      ...['lr', 'test/top5', 'train/step_ms'],
    ])
    const two = [metrics('test/accuracy', 'test/loss', 'validation/accuracy', 'validation/loss')]
    expect(metricsOf(two).slice(0, 2)).toEqual(['test/accuracy', 'validation/accuracy'])
    // of a forecast, whose loss is in no unit
    const squared = { 'chosen/step': valued(40, { unit: 'steps' }), 'validation/loss': valued(1, {}) }
    expect(metricsOf([{ metrics: squared }])).toEqual(['validation/loss', 'chosen/step'])
  })
})
