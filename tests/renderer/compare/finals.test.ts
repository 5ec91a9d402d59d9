import { describe, expect, it } from 'vitest'
import { finalText, groupVerdicts } from '../../../renderer/compare/finals.ts'
import { groupsOf } from '../../../renderer/compare/groups.ts'
import { ACCURACY, LOSS } from '../../meanings.ts'
import { detailsOf, valued } from './samples.ts'

const scored = (id: number, seed: number, variant: string, accuracy: number) =>
  detailsOf(id, { seed, variant, metrics: { 'test/accuracy': valued(accuracy, ACCURACY) } })
const runs = [1, 2, 3, 4, 5, 6].flatMap((seed) => [
  scored(seed, seed, 'gmlp', 0.8 + seed / 1000),
  scored(seed + 10, seed, 'mixer', 0.9 + seed / 500),
])
const groups = groupsOf([
  ...runs,
  detailsOf(99, { seed: 7, status: 'failed', metrics: { 'test/accuracy': valued(0, ACCURACY) } }),
])

describe('finalText', () => {
  it('is mean, deviation and number of the finished runs', () => {
    const [gmlp] = groups
    expect(gmlp && finalText(gmlp, 'test/accuracy', ACCURACY)).toBe('80.35 ± 0.19 (6)')
    expect(gmlp && finalText(gmlp, 'test/loss', LOSS)).toBe('–')
  })
})

describe('groupVerdicts', () => {
  it('compares each group to one of them', () => {
    const [own, other] = groupVerdicts(groups, 'test/accuracy', 'gmlp', null)
    expect(own).toBeNull()
    expect(other).toMatchObject({ variant: 'mixer', baseline: 'gmlp', claim: 'better', wins: 6 })
    expect(other?.sentence).toContain('6 of 6 seeds')
    expect(groupVerdicts(groups, 'test/accuracy', 'mixer', null)[0]?.claim).toBe('worse')
  })

  it('makes no claim where the recipes differ', () => {
    const spec = { numerics: 3, data: 'd', model: { dim: 8 }, train: { batch: 16 } }
    const changed = runs.map((run) => (run.variant === 'mixer' ? { ...run, spec: { ...spec, seed: run.seed } } : run))
    expect(groupVerdicts(groupsOf(changed), 'test/accuracy', 'gmlp', null)[1]?.problems).toEqual([
      'train.batch 16 and 8',
    ])
  })
})
