import { expect, it } from 'vitest'
import { forecastIn, maskIn, scaledSteps, stepsIn } from '../../../engine/predict/places.ts'

const series = {
  ...({ kind: 'series', window: 2, horizon: 2, channels: 2 } as const),
  ...{ mean: [10, 0], deviation: [2, 1] },
}

it('reads the last steps of a series, whatever stands between their values, without a line of names', () => {
  for (const text of ['a,b\n1,2\n3,4\n5,6\n', '1;2\r\n3;4\r\n5;6', '1\t2\n3\t4\n\n5\t6', ' 1 2\n3 4\n5 6 ']) {
    expect(stepsIn(text, 'a.csv', series)).toEqual([
      [3, 4],
      [5, 6],
    ])
  }
  expect([
    ...scaledSteps(
      [
        [12, 1],
        [8, -1],
      ],
      series,
    ),
  ]).toEqual([1, 1, -1, -1])
})

it.each([
  ['1,2\n3\n5,6', 'a.csv: line 2 has 1 number, expected 2 numbers, one a channel'],
  ['1,2\n3,x', 'a.csv: line 2 has what is no number, expected 2 numbers, one a channel'],
  ['1,2\n3,Infinity', 'a.csv: line 2 has what is no number, expected 2 numbers, one a channel'],
  ['1,2', 'a.csv: has 1 step, the model reads 2'],
  ['', 'a.csv: has 0 steps, the model reads 2'],
])('says what is wrong with %j', (text, why) => {
  expect(() => stepsIn(text, 'a.csv', series)).toThrow(why)
})

it('gives a forecast in the units of the series', () => {
  expect(forecastIn(Float32Array.of(0, 1, -1, 2), series).forecast).toEqual([
    [10, 1],
    [8, 2],
  ])
})

it('gives each pixel its likeliest class, and the classes by their share', () => {
  const { mask, likely } = maskIn(Float32Array.of(0, 3, 1, 0, 0, 9, 0, 1), [2, 2], ['ground', 'disc'])
  expect([...(mask?.pixels ?? [])]).toEqual([1, 0, 1, 1])
  expect(likely).toEqual([
    { name: 'disc', probability: 0.75 },
    { name: 'ground', probability: 0.25 },
  ])
})
