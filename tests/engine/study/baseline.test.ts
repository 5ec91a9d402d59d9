import { expect, it } from 'vitest'
import { baselineOf } from '../../../engine/study/baseline.ts'

it.each([
  [{}, 'a'],
  [{ s: 'b' }, 'b'],
  [{ s: 'gone' }, 'a'],
  [{ other: 'b' }, 'a'],
])('of variants a and b, with %j pinned, is %s', (pinned, baseline) => {
  expect(baselineOf('s', ['a', 'b'], pinned)).toBe(baseline)
})

it('is nothing of a study without variants', () => {
  expect(baselineOf('constructor', [], {})).toBe('')
})
