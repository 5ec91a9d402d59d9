import { describe, expect, it } from 'vitest'
import { ask } from '../../../../../engine/study/questions/index.ts'
import { simpleWhereInteracting } from '../../../../../engine/study/questions/kinds/simple.ts'
import { answered, noise, type ValueOf } from '../crossed.ts'

const LEVELS = { block: ['gmlp', 'mixer'], lr: [0.001, 0.01] }
const place = (levels: Record<string, unknown>) => (levels.block === 'mixer' ? 1 : 0) + (levels.lr === 0.01 ? 2 : 0)
const interacting: ValueOf = (levels, seed) => (place(levels) === 3 ? 0.7 : 0.5) + noise(seed, place(levels))

describe('simple', () => {
  it('has the effect at each level of the other factor', () => {
    const [found] = answered([ask.simple('block', { at: 'lr' })], { levels: LEVELS, value: interacting })
    expect(found?.title).toBe('effect of block at each lr')
    expect(found?.findings.map(({ name, claim }) => [name, claim])).toEqual([
      ['block mixer instead of gmlp at lr 0.001', 'open'],
      ['block mixer instead of gmlp at lr 0.01', 'better'],
    ])
    expect(found?.findings[1]?.difference).toBeCloseTo(0.2, 2)
    expect(found?.findings.map(({ adjusted }) => adjusted)).toEqual([found?.findings[0]?.p, 4 / 256])
  })

  it('is told where an interaction is shown, and only there', () => {
    const questions = [ask.interaction('lr', 'block'), simpleWhereInteracting('block', 'lr')]
    expect(answered(questions, { levels: LEVELS, value: interacting }).map(({ title }) => title)).toEqual([
      'interaction of lr and block',
      'effect of block at each lr',
    ])
    const parallel: ValueOf = (levels, seed) => (levels.block === 'mixer' ? 0.7 : 0.5) + noise(seed, place(levels))
    expect(answered(questions, { levels: LEVELS, value: parallel })).toHaveLength(1)
  })

  it('needs another factor', () => {
    const tried = (at: string) => () => answered([ask.simple('block', { at })], { levels: LEVELS, value: interacting })
    expect(tried('block')).toThrow("simple effects of 'block' with itself")
    expect(tried('rate')).toThrow("unknown factor 'rate' (known: block, lr)")
    expect(() => ask.simple('block', undefined as unknown as { at: string })).toThrow(
      'ask.simple.at: missing, expected a string',
    )
  })
})
