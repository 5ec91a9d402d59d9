import { expect, it } from 'vitest'
import { reportAxis } from '../../../engine/report/axis.ts'

const ticks = (values: number[], zero = false) => reportAxis(values, 0, 100, { zero }).ticks.map(({ text }) => text)

it('has ticks at round numbers within the values', () => {
  expect(ticks([0, 10])).toEqual(['0', '2', '4', '6', '8', '10'])
  expect(ticks([0.11, 0.32])).toEqual(['0.15', '0.20', '0.25', '0.30'])
  expect(ticks([-300, 400])).toEqual(['-200', '0', '200', '400'])
  expect(ticks([0, 3e7])).toEqual(['0', '1.0e+7', '2.0e+7', '3.0e+7'])
})

it('places values on a straight line, also from high to low', () => {
  expect(reportAxis([0, 10], 0, 100).place(5)).toBe(50)
  expect(reportAxis([0, 10], 100, 0).place(10)).toBe(0)
})

it('has room for a single value, none, and bars from 0', () => {
  for (const values of [[5], [0], [], [Number.NaN]]) {
    const { place, ticks } = reportAxis(values, 0, 100)
    expect(place(values[0] || 0)).toBeGreaterThanOrEqual(0)
    expect(ticks.length).toBeGreaterThan(1)
  }
  expect(reportAxis([5, 10], 0, 100, { zero: true }).place(0)).toBe(0)
})

it('stays within what its metric can be, also with a single value and with bands that reach beyond', () => {
  const text = (values: number[], bounds: [number | null, number | null]) =>
    reportAxis(values, 0, 100, { bounds }).ticks.map(({ text }) => text)
  expect(text([1], [0, 1])).toEqual(['0.5', '0.6', '0.7', '0.8', '0.9', '1.0'])
  expect(text([0], [0, 1]).at(0)).toBe('0.0')
  expect(text([0.85, 1.12], [0, 1]).at(-1)).toBe('1.00')
  expect(text([1.4], [1, null]).at(0)).toBe('1.0')
  expect(reportAxis([0.5, 1.2], 0, 100, { bounds: [0, 1] }).place(1.2)).toBe(100)
})
