import { describe, expect, it } from 'vitest'
import { keyOf, normal } from '../../../../../engine/random.ts'
import { ask } from '../../../../../engine/study/questions/index.ts'
import { maximinScores } from '../../../../../engine/study/questions/kinds/trend.ts'
import { signFlip } from '../../../../../engine/study/statistics/signFlip.ts'
import { answered, noise } from '../crossed.ts'
import { maximin } from '../golden.ts'

const PATH: Record<string, number> = { small: 0.5, middle: 0.6, large: 0.58, huge: 0.7 }
const levels = { size: Object.keys(PATH) }
const value = ({ size }: { size?: unknown }, seed: number) =>
  (PATH[String(size)] ?? 0) + noise(seed, String(size).length)

describe('trend', () => {
  it.each(maximin.cases)('has the scores that are best in the worst case: %d, %d, ...', (...scores) => {
    maximinScores(scores.length).forEach((score, place) => {
      expect(score).toBeCloseTo(scores[place] ?? Number.NaN, 5)
    })
  })

  it('has the scores that Abelson and Tukey published', () => {
    const [first = 1] = maximinScores(4)
    const { scores } = maximin.published
    const scale = (scores[0] ?? 0) / first
    expect(maximinScores(4).map((score) => Number((score * scale).toFixed(3)))).toEqual(scores)
  })

  it('is of levels in the order of the study, and says which lie the other way', () => {
    const [found] = answered([ask.trend('size')], { levels, value })
    expect(found?.title).toBe('trend along size')
    expect(found?.findings[0]?.sentence).toBe(
      'size small, middle, large, huge: rises with size (8 of 8 seeds, p = 0.0078); no run of 8 seeds diverged, so up to 31% of seeds may still diverge (95%); assumes symmetric differences; not at every level: large lies below middle',
    )
    const loss = { metric: 'test/loss', value: (...given: Parameters<typeof value>) => 1 - value(...given) }
    const [falling] = answered([ask.trend('size')], { levels, ...loss })
    expect(falling?.findings[0]?.sentence).toMatch(
      /: falls with size \(8 of 8 seeds, p = 0\.0078\); .* large lies above middle$/,
    )
  })

  it('takes numbers by size', () => {
    const [found] = answered([ask.trend('depth')], {
      levels: { depth: [8, 2, 4] },
      value: ({ depth }, seed) => Number(depth) / 20 + noise(seed, Number(depth)),
    })
    expect(found?.findings[0]?.sentence).toMatch(/^depth 2, 4, 8: rises with depth \(8 of 8 seeds, p = 0\.0078\); /)
  })

  it('claims nothing where there is none', () => {
    const [found] = answered([ask.trend('size')], { levels, value: (_, seed) => noise(seed) })
    expect(found?.findings[0]?.sentence).toMatch(/^size small, middle, large, huge: no trend shown: /)
  })

  it('has in the worst case more power than equal steps, as docs/statistics.md says', () => {
    const studies = 200
    const power = (scores: readonly number[]) => {
      const shown = Array.from({ length: studies }, (_, study) => {
        const key = keyOf(study, 'trend')
        // six levels, of which the last alone is better
        const numbers = Array.from({ length: 8 }, (_, seed) =>
          scores.reduce(
            (sum, score, place) => sum + score * (normal(key, seed * 6 + place) + (place === 5 ? 1.2 : 0)),
            0,
          ),
        )
        return signFlip(numbers) <= 0.05
      })
      return shown.filter(Boolean).length / studies
    }
    expect(power(maximinScores(6))).toBeGreaterThan(power([-5, -3, -1, 1, 3, 5]) + 0.05)
  })
})
