import { expect, it } from 'vitest'
import { duration } from '../../../engine/study/duration.ts'

it.each([
  [0, '0 s'],
  [0.42, '0.4 s'],
  [0.97, '1 s'],
  [59.6, '1 min'],
  [61, '1 min 1 s'],
  [3599.7, '1 h'],
  [7500, '2 h 5 min'],
])('%d seconds are %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})
