import { expect, it } from 'vitest'
import { divergedText, FIRST_NOT_FINITE, lineNamed, saysDiverged } from '../../../engine/records/diverged.ts'

it.each([Number.NaN, Infinity, -Infinity])('a run whose loss became %d has diverged', (loss) => {
  const text = divergedText(loss, 12)
  expect(saysDiverged(text)).toBe(true)
  expect(saysDiverged(`${text}: training diverged; try a learning rate below 3, warmup, or clip`)).toBe(true)
})

it.each([
  '',
  'out of memory',
  'the loss is a matrix',
  `gated:8: ${divergedText(Number.NaN, 1)}: Log ${FIRST_NOT_FINITE}; keep what it gets away from 0, or add an eps`,
])('a run that failed for another reason has not: %s', (error) => {
  expect(saysDiverged(error)).toBe(false)
})

it('finds the line of a cell that an error begins with', () => {
  expect(lineNamed('own:5: loss is NaN at step 2: RealDiv is the first to give such a value')).toBe('own:5')
  expect(['loss is NaN at step 2: training diverged', 'head.dense: loss is NaN'].map(lineNamed)).toEqual([null, null])
})
