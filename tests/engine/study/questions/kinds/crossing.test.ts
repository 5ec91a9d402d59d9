import { describe, expect, it } from 'vitest'
import { ask } from '../../../../../engine/study/questions/index.ts'
import { answered, noise } from '../crossed.ts'
import { blockValue, crossing, LEVELS } from '../golden.ts'

const lines =
  (from: number, to: number) =>
  ({ block, depth }: Record<string, unknown>, seed: number) =>
    block === 'gmlp' ? 0.5 + noise(seed) : 0.5 + from + ((to - from) * (Number(depth) - 2)) / 6 + noise(seed, 1)

function asked(value: ReturnType<typeof lines>, metric = 'test/accuracy', seeds = 8) {
  const [found] = answered([ask.crossing('depth', { of: 'block', scale: 'linear' })], {
    levels: LEVELS,
    value,
    metric,
    seeds,
  })
  return found
}

describe('crossing', () => {
  it.each(['linear', 'log'] as const)('is where numpy has it by seed, on a scale that is %s', (scale) => {
    const [found] = answered([ask.crossing('depth', { of: 'block', scale })], { levels: LEVELS, value: blockValue })
    const [finding] = found?.findings ?? []
    crossing[scale].forEach((number, seed) => {
      expect(finding?.numbers[seed]?.number).toBeCloseTo(number, 9)
    })
    expect(finding?.p).toBe(Math.max(...crossing.p))
  })

  it('says which side is better where', () => {
    expect(asked(lines(-0.1, 0.1))?.findings[0]?.sentence).toMatch(
      /^block mixer instead of gmlp along depth: better from depth 5\.0\d* \(95% CI [\d.]+ to [\d.]+\) on, worse below; the lines of 8 of 8 seeds cross between 2 and 8$/,
    )
    expect(asked(lines(-0.1, 0.1), 'test/loss')?.findings[0]?.sentence).toContain(': worse from depth 5.0')
    expect(asked(lines(0.1, -0.1))?.findings[0]?.sentence).toContain(': worse from depth 5.0')
  })

  it('is no crossing where one side is better at both ends', () => {
    const found = asked(lines(0.05, 0.1))
    expect(found?.findings[0]).toMatchObject({ claim: 'open', p: null, numbers: [] })
    expect(found?.findings[0]?.sentence).toBe(
      'block mixer instead of gmlp along depth: no crossing shown: better at depth 2 (p = 0.0078), better at 8 (p = 0.0078); the lines of 0 of 8 seeds cross between 2 and 8',
    )
  })

  it('needs both ends: what is shown at one is no crossing', () => {
    const found = asked(lines(0, 0.1))
    expect(found?.findings[0]?.claim).toBe('open')
    expect(found?.findings[0]?.sentence).toMatch(
      /no crossing shown: \w+ at depth 2 \(p = [\d.]+\), better at 8 \(p = 0\.0078\); the lines of [1-7] of 8/,
    )
  })

  it('says when there are too few seeds', () => {
    expect(asked(lines(-0.1, 0.1), undefined, 5)?.findings[0]?.sentence).toMatch(
      /: too few seeds: worse at depth 2 \(p = 0\.0625\), better at 8 \(p = 0\.0625\); the lines of 5 of 5 seeds cross between 2 and 8, in the mean at (5\.0|4\.9)/,
    )
  })

  it('is refused of a factor without numbers, and with itself', () => {
    const levels = { block: ['a', 'b'], depth: [1, 2] }
    const tried = (factor: string, of: string) => () =>
      answered([ask.crossing(factor, { of })], { levels, value: () => 0 })
    expect(tried('block', 'depth')).toThrow("level 'a' of factor 'block' is no number, and a crossing needs numbers")
    expect(tried('depth', 'depth')).toThrow("a crossing of 'depth' with itself")
    expect(() => ask.crossing('depth', {} as { of: string })).toThrow('ask.crossing.of: missing, expected a string')
  })
})
