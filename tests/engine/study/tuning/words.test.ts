import { expect, it } from 'vitest'
import type { StudyDesign } from '../../../../engine/records/design.ts'
import type { TunedDesign } from '../../../../engine/records/tuned.ts'
import { tunedText } from '../../../../engine/study/tuning/words.ts'

const runs = Array.from({ length: 4 }, (_, i) => ({ variant: 'a', seed: i, key: `${i}` }))

function design(chosen: number[], values: TunedDesign['values'], failed = false): Partial<StudyDesign> {
  const variants = chosen.map((place, i) => ({
    variant: 'abc'[i] as string,
    chosen: place,
    means: values.map(() => (failed ? null : 1)),
  }))
  return {
    runs,
    tuned: { study: 's, tuning', metric: 'validation/loss', seeds: [1001, 1002, 1003], values, variants, runs: 18 },
  }
}
const rates = [0.001, 0.003, 0.01].map((lr) => ({ lr }))

it('says nothing where nothing was chosen', () => {
  expect(tunedText({ runs }, ['a', 'b'])).toEqual([])
  expect(tunedText(undefined, ['a', 'b'])).toEqual([])
})

it('says what was chosen for each of two variants, of what and with what, and what that took', () => {
  expect(tunedText(design([1, 1], rates), ['b', 'a'])).toEqual([
    'b at lr 0.003, a at lr 0.003, each the best of 0.001, 0.003, 0.01 on validation with seeds 1001 to 1003',
    'tuning took 18 runs, the report 4',
  ])
})

it('says which values are at the end of their grid', () => {
  expect(tunedText(design([2, 1], rates), ['b', 'a'])[1]).toBe(
    'lr 0.01 is at the end of its values, and a better one may lie beyond',
  )
  expect(tunedText(design([2, 0], rates), ['b', 'a'])[1]).toBe(
    'lr 0.001 and lr 0.01 are at the ends of their values, and better ones may lie beyond',
  )
  expect(tunedText(design([0, 0], [{ kind: 'x' }, { kind: 'y' }]), ['b', 'a'])).toHaveLength(2)
})

it('names the factors where there are several, and not all of many variants', () => {
  const both = [
    { lr: 1, decay: 0 },
    { lr: 1, decay: 3 },
    { lr: 2, decay: 0 },
    { lr: 2, decay: 3 },
  ]
  expect(tunedText(design([0, 0, 0], both), ['a', 'b', 'c'])[0]).toBe(
    'each variant at its own lr and decay, each the best of lr 1, 2 and decay 0, 3 on validation with seeds 1001 to 1003',
  )
  expect(tunedText(design([1, 2], both), ['a'])[0]).toMatch(/^a at lr 1 and decay 3, each/)
})

it('says of which variant no value trained', () => {
  expect(tunedText(design([1, 1], rates, true), ['a'])).toContain(
    'no value of a trained to its end, so it has the first',
  )
})
