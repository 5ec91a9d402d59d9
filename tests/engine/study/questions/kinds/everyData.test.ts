import { describe, expect, it } from 'vitest'
import { ask } from '../../../../../engine/study/questions/index.ts'
import { answered, noise, type ValueOf } from '../crossed.ts'

const LEVELS = { block: ['gmlp', 'mixer'], data: ['digits', 'shapes', 'text'] }
const GAIN: Record<string, number> = { digits: 0.01, shapes: 0.08, text: -0.03 }
const value: ValueOf = ({ block, data }, seed) =>
  block === 'mixer' ? 0.5 + (GAIN[String(data)] ?? 0) + noise(seed, String(data).length) : 0.5

describe('everyData', () => {
  it('has one sentence over all data sets, with the spread between them', () => {
    const [found] = answered([ask.everyData('block', { over: 'data' })], { levels: LEVELS, value })
    expect(found?.title).toBe('effect of block over all data')
    expect(found?.findings[0]?.sentence).toMatch(
      /^over data digits, shapes, text: block mixer is more accurate than block gmlp by 2\.0\d points \(.* 8 of 8 seeds, p = .*; from -3\.0 points \(text\) to \+8\.0 points \(shapes\), better on 2 of 3 levels of data$/,
    )
    expect(found?.findings[0]?.difference).toBeCloseTo(0.02, 2)
  })

  it('counts a loss as better where it is lower', () => {
    const [found] = answered([ask.everyData('block', { over: 'data' })], { levels: LEVELS, value, metric: 'test/loss' })
    expect(found?.findings[0]?.sentence).toMatch(
      /: block mixer has a higher loss than block gmlp by .*; from -0\.03\d* \(text\) to \+0\.08\d* \(shapes\), better on 1 of 3 levels of data$/,
    )
  })
})
