import { describe, expect, it } from 'vitest'
import { ask } from '../../../../../engine/study/questions/index.ts'
import { answered, noise } from '../crossed.ts'
import { blockValue, LEVELS, powerLaw } from '../golden.ts'

const law = ({ block, tokens }: Record<string, unknown>, seed: number) =>
  5 *
  Number(tokens) ** (block === 'mixer' ? -0.3 : -0.2) *
  Math.exp(noise(seed, Math.log2(Number(tokens)) + (block === 'mixer' ? 1 : 0)))
const levels = { block: ['gmlp', 'mixer'], tokens: [16, 64, 256] }

describe('powerLaw', () => {
  it('has the exponents of scipy by seed, and their difference', () => {
    const questions = [ask.powerLaw('depth'), ask.powerLaw('depth', { by: 'block' })]
    const [one, two] = answered(questions, { levels: LEVELS, value: blockValue })
    powerLaw.exponent.forEach((number, seed) => {
      expect(one?.findings[0]?.numbers[seed]?.number).toBeCloseTo(number, 10)
      expect(two?.findings[0]?.numbers[seed]?.number).toBeCloseTo(powerLaw.difference[seed] ?? Number.NaN, 10)
    })
  })

  it('says the exponent with its sign, and its interval', () => {
    const [found] = answered([ask.powerLaw('tokens')], { levels, value: law, metric: 'test/loss' })
    expect(found?.title).toBe('power law of tokens')
    expect(found?.findings[0]?.sentence).toMatch(
      /^tokens from 16 to 256, over all block: falls as a power of tokens with exponent -0\.2\d+ \(95% CI -0\.2\d+ to -0\.2\d+; 8 of 8 seeds, p = /,
    )
    expect(found?.findings[0]?.difference).toBeCloseTo(-0.25, 2)
  })

  it('says by how much two exponents differ', () => {
    const [found] = answered([ask.powerLaw('tokens', { by: 'block' })], { levels, value: law, metric: 'test/loss' })
    expect(found?.title).toBe('power law of tokens by block')
    expect(found?.findings[0]?.sentence).toMatch(
      /^block mixer instead of gmlp, along tokens: the exponent is smaller by 0\.10\d* \(95% CI .*; 8 of 8 seeds, p = /,
    )
  })

  it('says what the mean is where nothing is shown', () => {
    const [found] = answered([ask.powerLaw('tokens')], { levels, value: (_, seed) => 1 + noise(seed) })
    expect(found?.findings[0]?.sentence).toMatch(/: no power law shown: 0 on all 8 seeds$/)
  })

  it('counts the seeds with a value of 0, which has no logarithm', () => {
    const value = (...given: Parameters<typeof law>) => (given[1] === 3 ? 0 : law(...given))
    const [found] = answered([ask.powerLaw('tokens')], { levels, value, metric: 'test/loss' })
    expect(found?.findings[0]).toMatchObject({ claim: 'different', missing: [] })
    expect(found?.findings[0]?.sentence).toMatch(
      /; 7 of 7 seeds, p = .*; 1 of 8 seeds is left out, with a value that has no logarithm$/,
    )
  })

  it('is refused where levels have no logarithm, or none is a number, or by itself', () => {
    const ask1 = (levels: Record<string, (string | number)[]>, by?: string) => () =>
      answered([ask.powerLaw('n', by ? { by } : undefined)], { levels, value: () => 1 })
    expect(ask1({ n: [0, 1] })).toThrow("level 0 of factor 'n' has no logarithm, and a power law on")
    expect(ask1({ n: ['a', 'b'] })).toThrow("level 'a' of factor 'n' is no number, and a power law needs numbers")
    expect(ask1({ n: [1, 2] }, 'n')).toThrow("a power law of 'n' with itself")
    expect(ask1({ n: [1, 2], m: [1, 2] }, 'block')).toThrow("unknown factor 'block' (known: n, m)")
  })
})
