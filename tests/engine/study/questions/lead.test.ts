import { describe, expect, it } from 'vitest'
import { ask } from '../../../../engine/study/questions/index.ts'
import { leadText } from '../../../../engine/study/questions/lead.ts'
import { answered, noise, type ValueOf } from './crossed.ts'

const LEVELS = { block: ['gmlp', 'mixer'], lr: [1, 2, 3] }
const both = [ask.best('block', { over: 'lr' }), ask.interaction('block', 'lr')]
const place = ({ block, lr }: Parameters<ValueOf>[0]) => Number(lr) + (block === 'mixer' ? 1 : 0)
const better: ValueOf = (levels, seed) =>
  noise(seed, place(levels)) + (levels.block === 'mixer' ? Number(levels.lr) / 10 : 0)
const alike: ValueOf = (levels, seed) => noise(seed, place(levels))
const asked = (value: ValueOf, questions = both) => leadText(answered(questions, { levels: LEVELS, value }))

describe('leadText', () => {
  it('says which level is better, each at its best, and whether the effect of the other factor depends on it', () => {
    expect(asked(better)).toBe(
      'block mixer is better than gmlp, each at its best lr (3 for mixer, 1 for gmlp); the effect of lr depends on block',
    )
    expect(asked((levels, seed) => -better(levels, seed))).toMatch(
      /^block gmlp is better than mixer, each .*; the effect/,
    )
  })

  it('claims nothing that is not shown', () => {
    expect(asked(alike)).toMatch(
      /^which block is better, gmlp or mixer, each at .*, is not shown; that the effect of lr depends on block is not shown \(exploratory\)$/,
    )
  })

  it('says only what is asked', () => {
    expect(asked(better, both.slice(0, 1))).not.toContain('depends')
    expect(asked(better, both.slice(1))).toBeNull()
  })
})
