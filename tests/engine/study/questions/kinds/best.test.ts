import { describe, expect, it } from 'vitest'
import { ask } from '../../../../../engine/study/questions/index.ts'
import { flipInterval } from '../../../../../engine/study/statistics/signFlip.ts'
import { answered, noise, type ValueOf } from '../crossed.ts'
import { best } from '../golden.ts'

const LEVELS = { block: ['gmlp', 'mixer'], lr: [1, 2, 3] }
const question = ask.best('block', { over: 'lr' })

/** The value of a table by block, seed and rate. */
function from(table: Record<string, number[][]>): ValueOf {
  return ({ block, lr }, seed) => table[String(block)]?.[seed]?.[Number(lr) - 1] ?? Number.NaN
}

/** The mixer is better by 0.1 at its best rate, which is another one than that of gmlp. */
const value: ValueOf = ({ block, lr }, seed) =>
  (block === 'mixer' ? ([0.4, 0.5, 0.7][Number(lr) - 1] ?? 0) : ([0.5, 0.6, 0.3][Number(lr) - 1] ?? 0)) +
  noise(seed, Number(lr) + (block === 'mixer' ? 1 : 0))

describe('best', () => {
  it.each(best.cases)('has the p and the interval of numpy: $p', ({ values, chosen, p, interval }) => {
    const seeds = values.gmlp.length
    const [found] = answered([question], { levels: LEVELS, value: from(values), seeds })
    const [finding] = found?.findings ?? []
    expect(finding?.p).toBeCloseTo(p, 9)
    expect(finding?.interval?.low).toBeCloseTo(interval[0] as number, 7)
    expect(finding?.interval?.high).toBeCloseTo(interval[1] as number, 7)
    const [gmlp, mixer] = chosen.map((place) => place + 1)
    expect(finding?.sentence).toContain(`lr ${mixer} for mixer and ${gmlp} for gmlp`)
  })

  it('says by how much, and what was chosen', () => {
    const [found] = answered([question], { levels: LEVELS, value })
    expect(found?.title).toBe('block, each at its best lr')
    expect(found?.findings[0]?.sentence).toBe(
      'each at its best lr: block mixer is more accurate than block gmlp by 10.00 points (95% CI 9.80 to 10.20; 8 of 8 seeds, p = 0.0078); no run of 8 seeds diverged, so up to 31% of seeds may still diverge (95%); assumes symmetric differences; lr 3 for mixer and 2 for gmlp; lr 3 is at the end of its values, and a better one may lie beyond',
    )
    expect(found?.findings[0]).toMatchObject({ claim: 'better', wins: 8 })
    expect(found?.findings[0]?.difference).toBeCloseTo(0.1, 2)
  })

  it('is the test of a pair where each side has one rate that is clearly the best', () => {
    const [found] = answered([question], { levels: LEVELS, value })
    const numbers = Array.from(
      { length: 8 },
      (_, seed) => value({ block: 'mixer', lr: 3 }, seed) - value({ block: 'gmlp', lr: 2 }, seed),
    )
    const own = flipInterval(numbers, 0.05)
    expect(found?.findings[0]?.interval?.low).toBeCloseTo(own?.low ?? 0, 9)
    expect(found?.findings[0]?.interval?.high).toBeCloseTo(own?.high ?? 0, 9)
  })

  it('takes the smaller loss', () => {
    const [found] = answered([question], { levels: LEVELS, value, metric: 'test/loss' })
    const [finding] = found?.findings ?? []
    expect(finding?.claim).toBe('worse')
    expect(finding?.sentence).toContain('lr 1 for mixer and 3 for gmlp')
    expect(finding?.difference).toBeCloseTo(0.1, 2)
    expect(finding?.interval?.low).toBeGreaterThan(0)
  })

  it('leaves out rates on which more seeds fail', () => {
    const failing: ValueOf = (levels, seed) =>
      levels.block === 'mixer' && levels.lr === 3 && seed === 0 ? Number.NaN : value(levels, seed)
    const [found] = answered([question], { levels: LEVELS, value: failing })
    expect(found?.findings[0]?.sentence).toContain('lr 2 for mixer and 2 for gmlp')
    expect(found?.findings[0]?.sentence).toContain('left out: block=mixer lr=3 failed on 1 of 8 seeds')
    expect(found?.findings[0]?.failures).toMatchObject({ seeds: 8, learned: 8 })
  })

  it('compares no seed that learned with one that did not', () => {
    const failing: ValueOf = (levels, seed) => ((levels.block === 'mixer') === seed < 4 ? 0.1 : value(levels, seed)) // each seed fails in one block
    const [found] = answered([question], { levels: LEVELS, value: failing, learned: 0.2 })
    const [finding] = found?.findings ?? []
    expect(finding).toMatchObject({ claim: 'too few', difference: null, p: null })
    expect(finding?.sentence).not.toContain(' for mixer')
    expect(finding?.short).toBe('which block is better, gmlp or mixer, each at its best lr, is not shown')
  })

  it('is shown to be equal within a margin', () => {
    const alike: ValueOf = ({ block, lr }, seed) => (lr === 2 ? 0.7 : 0.4) + noise(seed, block === 'mixer' ? 1 : 0)
    const [found] = answered([question], { levels: LEVELS, value: alike, margin: 0.02 })
    expect(found?.findings[0]?.claim).toBe('equal')
    expect(found?.findings[0]?.within?.interval?.high).toBeLessThan(0.02)
  })

  it('shows nothing where there is nothing, and says when there are too few seeds', () => {
    const [alike] = answered([question], {
      levels: LEVELS,
      value: ({ block }, seed) => noise(seed, block === 'mixer' ? 1 : 0),
    })
    expect(alike?.findings[0]?.claim).toBe('open')
    const [few] = answered([question], { levels: LEVELS, value, seeds: 5 })
    expect(few?.findings[0]).toMatchObject({ claim: 'too few', interval: { level: 0.9375 } })
  })

  it('has no verdict where no way is better', () => {
    const [found] = answered([question], { levels: LEVELS, value, metric: 'test/unknown' })
    expect(found?.findings[0]?.sentence).toMatch(/: no verdict: which way is better is not known$/)
    expect(found?.findings[0]).toMatchObject({ claim: 'too few', p: 1 })
  })

  it('is refused with itself', () => {
    expect(() => answered([ask.best('lr', { over: 'lr' })], { levels: LEVELS, value })).toThrow(
      "the best of 'lr' with itself",
    )
  })
})
