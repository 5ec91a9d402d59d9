import { describe, expect, it } from 'vitest'
import { ask } from '../../../../../engine/study/questions/index.ts'
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
  it.each(best.cases)('has the p of scipy, which swaps and chooses again: $p', ({ values, validation, chosen, p }) => {
    const seeds = values.gmlp.length
    const [found] = answered([question], { levels: LEVELS, value: from(values), validation: from(validation), seeds })
    if (seeds <= 12) expect(found?.findings[0]?.p).toBe(p)
    else expect(found?.findings[0]?.p).toBeCloseTo(p, 2) // drawn
    const [gmlp, mixer] = chosen.map((place) => place + 1)
    expect(found?.findings[0]?.sentence).toContain(`lr ${mixer} for mixer and ${gmlp} for gmlp, chosen by validation`)
  })

  it('names what was chosen, and says no size', () => {
    const [found] = answered([question], { levels: LEVELS, value, validation: value })
    expect(found?.title).toBe('block, each at its best lr')
    expect(found?.findings[0]?.sentence).toBe(
      'block mixer instead of gmlp, each at its best lr: better, 8 of 8 seeds, p 0.0078; lr 3 for mixer and 2 for gmlp, chosen by validation; lr 3 is at the end of its values, and a better one may lie beyond; no interval, since these seeds chose lr: by how much, only fresh ones can say',
    )
    expect(found?.findings[0]).toMatchObject({
      claim: 'better',
      difference: null,
      interval: null,
      effect: null,
      wins: 8,
    })
  })

  it('chooses by validation, not by the test', () => {
    const [found] = answered([question], {
      levels: LEVELS,
      value,
      validation: ({ block, lr }, seed) => value({ block: String(block), lr: lr === 1 ? 2 : 1 }, seed),
    })
    expect(found?.findings[0]?.sentence).toContain('lr 1 for mixer and 1 for gmlp, chosen by validation')
  })

  it('chooses by what is compared where there is no validation, and the smaller loss', () => {
    const [found] = answered([question], { levels: LEVELS, value, metric: 'test/loss' })
    expect(found?.findings[0]?.sentence).toContain(
      ': worse, 8 of 8 seeds, p 0.0078; lr 1 for mixer and 3 for gmlp, chosen by the compared metric itself; ',
    )
  })

  it('shows nothing where there is nothing, and says when there are too few seeds', () => {
    const [alike] = answered([question], {
      levels: LEVELS,
      value: ({ block }, seed) => noise(seed, block === 'mixer' ? 1 : 0),
    })
    expect(alike?.findings[0]?.sentence).toMatch(
      /: no difference shown: better on 4 of 8 seeds, p 1; lr 1 for mixer and 1 for gmlp, /,
    )
    const [few] = answered([question], { levels: LEVELS, value, seeds: 5 })
    expect(few?.findings[0]?.sentence).toContain(': too few seeds: better on 5 of 5 seeds, p 0.0625; ')
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
