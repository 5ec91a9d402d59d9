import { describe, expect, it } from 'vitest'
import type { FactorValues } from '../../../../engine/records/design.ts'
import { type Crossing, crossingOf } from '../../../../engine/study/design/crossing.ts'
import { rolesOf } from '../../../../engine/study/questions/roles.ts'
import { crossed, type Levels } from './crossed.ts'
import { plannedWith } from './planned.ts'

const role = (levels: Levels, spec: (levels: FactorValues) => object) => {
  const variants = crossed(levels)
  return Object.fromEntries(rolesOf(crossingOf(variants) as Crossing, plannedWith(variants, spec)))
}

describe('the role of a factor', () => {
  it('is that part of the spec which it changes, whatever its name', () => {
    const levels = { lr: ['gmlp', 'mixer'], block: [1, 2], seed: ['digits', 'shapes'] }
    const spec = ({ lr, block, seed }: FactorValues) => ({ model: { block: lr }, train: { lr: block }, data: seed })
    expect(role(levels, spec)).toEqual({ lr: 'model', block: 'recipe', seed: 'data' })
  })

  it('is mixed where it changes several parts, at whatever level of the others', () => {
    const levels = { size: [1, 2], lr: [1, 2] }
    const spec = ({ size, lr }: FactorValues) => ({
      model: { size },
      train: { lr: lr === 2 ? Number(lr) * Number(size) : 1 },
    })
    expect(role(levels, spec)).toEqual({ size: 'mixed', lr: 'recipe' })
    expect(role({ a: [1, 2], b: [1, 2] }, ({ b }) => ({ from: b }))).toEqual({ a: 'mixed', b: 'mixed' })
  })

  it('counts what cells define with what it is of', () => {
    const spec = ({ by, task }: FactorValues) => ({
      definitions: { optimizer: { digest: by }, task: { digest: task } },
    })
    expect(role({ by: [1, 2], task: [1, 2] }, spec)).toEqual({ by: 'recipe', task: 'data' })
  })

  it('is mixed where nothing is known of the runs', () => {
    expect(Object.fromEntries(rolesOf(crossingOf(crossed({ a: [1, 2] })) as Crossing, []))).toEqual({ a: 'mixed' })
  })
})
