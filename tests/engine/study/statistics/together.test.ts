import { expect, it } from 'vitest'
import { verdicts } from '../../../../engine/study/statistics/verdict.ts'
import { runsOf } from './runs.ts'

const BASE = [0.8, 0.81, 0.79, 0.82, 0.805, 0.815]
const runs = [
  ...runsOf('a', BASE),
  ...runsOf(
    'b',
    BASE.map((value, i) => value + 0.01 + 0.001 * i),
  ),
]
const variants = ['a', 'b'].map((variant) => ({ variant, settings: {}, intended: [] }))

/** The verdict of a study of two variants, planned with the studies of these names. */
function verdict(together?: string[]) {
  const design = { metric: 'test/accuracy', variants, together }
  return verdicts({ metric: 'test/accuracy', runs, variants: ['a', 'b'], baseline: 'a', design })[0]
}

it('a study that was planned with others has its share of the 5%, and says so', () => {
  expect(verdict()).toMatchObject({ claim: 'better', adjusted: 2 / 64 })
  expect(verdict()?.sentence).not.toContain('together')
  const found = verdict(['one', 'two'])
  expect(found).toMatchObject({ claim: 'too few', p: 2 / 64, adjusted: 4 / 64 })
  expect(found?.sentence).toMatch(/; corrected for 2 studies together$/)
})
