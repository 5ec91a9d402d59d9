import { expect, it } from 'vitest'
import { forecastIn, maskIn, scaledSteps, stepsIn } from '../../../engine/predict/places.ts'

const series = {
  ...({ kind: 'series', window: 2, horizon: 2, channels: 2 } as const),
  ...{ mean: [10, 0], deviation: [2, 1] },
}

it('reads the last steps of a series, whatever stands between their values, without a line of names', () => {
  for (const text of ['a,b\n1,2\n3,4\n5,6\n', '1;2\r\n3;4\r\n5;6', '1\t2\n3\t4\n\n5\t6', ' 1 2\n3 4\n5 6 ']) {
    expect(stepsIn(text, 'a.csv', series)).toEqual({
      steps: [
        [3, 4],
        [5, 6],
      ],
    })
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
  ['date,a,b\n2016-07-01 00:00:00,1,2\n2016-07-01 01:00:00,3,4\n2016-07-01 02:00:00,5,6\n', "column 'date'"],
  ['1.7.2016;1,0;2\n2.7.2016;3,0;4\n3.7.2016;5,0;6', 'column 1'],
  ['a\tb\tOn\n1\t2\tJul 1, 2016\n3\t4\tJul 2, 2016\n5\t6\tAug 3, 2016', "column 'On'"],
  [
    '"day","a","hour","b"\n"Jul 1, 2016",1,"10:00 AM",2\n"Jul 2, 2016",3,"11:00 AM",4\n"May 1, 2017",5,"1:00 PM",6',
    "columns 'day', 'hour'",
  ],
  ['2016-07-01 00:00 1 2\n2016-07-01 01:00 3 4\n2016-07-01 02:00 5 6', 'columns 1, 2'],
  ['timestamp,a,b\n1467331200,1,2\n1467334800,3,4\n1467338400,5,6', "column 'timestamp'"],
])('leaves out columns of dates and times, and names them: %j', (text, which) => {
  const { steps, note } = stepsIn(text, 'a.csv', series)
  expect(steps).toEqual([
    [3, 4],
    [5, 6],
  ])
  expect(note).toBe(`left out ${which}: dates or times`)
})

it.each([
  ['a,b\n1,2\n3,\n5,6', 'a.csv: line 3 has 1 value, expected 2 numbers, one a channel'],
  ['a,b\n1,2\n,4\n5,6', 'a.csv: line 3 has an empty value, expected 2 numbers, one a channel'],
  ['1,2\n3,NaN\n5,6', "a.csv: line 2 has 'NaN', expected 2 numbers, one a channel"],
  [`1,2\n3,${'x'.repeat(999)}\n5,6`, `a.csv: line 2 has '${'x'.repeat(80)}...', expected`],
  ['date,a\n2016-07-01,1\n2016-07-02,3', 'a.csv: line 2 has 1 value, expected 2 numbers, one a channel'],
  ['1,2\n3\n5,6', 'a.csv: line 2 has 1 value, expected 2 numbers, one a channel'],
  ['1,2\n3,x', "a.csv: line 2 has 'x', expected 2 numbers, one a channel"],
  ['1,2\n3,Infinity', "a.csv: line 2 has 'Infinity', expected 2 numbers, one a channel"],
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
