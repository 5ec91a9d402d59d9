import { expect, it } from 'vitest'
import { axis } from '../../../engine/report/axis.ts'

const ticks = (values: number[], zero = false) => axis(values, 0, 100, zero).ticks.map(({ text }) => text)

it('has ticks at round numbers within the values', () => {
  expect(ticks([0, 10])).toEqual(['0', '2', '4', '6', '8', '10'])
  expect(ticks([0.11, 0.32])).toEqual(['0.15', '0.20', '0.25', '0.30'])
  expect(ticks([-300, 400])).toEqual(['-200', '0', '200', '400'])
  expect(ticks([0, 3e7])).toEqual(['0', '1.0e+7', '2.0e+7', '3.0e+7'])
})

it('places values on a straight line, also from high to low', () => {
  expect(axis([0, 10], 0, 100).place(5)).toBe(50)
  expect(axis([0, 10], 100, 0).place(10)).toBe(0)
})

it('has room for a single value, none, and bars from 0', () => {
  for (const values of [[5], [0], [], [Number.NaN]]) {
    const { place, ticks } = axis(values, 0, 100)
    expect(place(values[0] || 0)).toBeGreaterThanOrEqual(0)
    expect(ticks.length).toBeGreaterThan(1)
  }
  expect(axis([5, 10], 0, 100, true).place(0)).toBe(0)
})
