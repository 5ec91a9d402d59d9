import { expect, it } from 'vitest'
import { partWith, withMore } from '../../../renderer/notebook/part.ts'

it('always has the selected cell, and never many more than before at once', () => {
  expect(partWith(null, -1, 20_000)).toEqual({ from: 0, to: 4 })
  expect(partWith({ from: 0, to: 4 }, 3, 20_000)).toEqual({ from: 0, to: 4 })
  expect(partWith({ from: 0, to: 4 }, 4, 20_000)).toEqual({ from: 0, to: 5 })
  expect(partWith({ from: 0, to: 500 }, 19_999, 20_000)).toEqual({ from: 19_991, to: 20_007 })
  expect(partWith({ from: 19_991, to: 20_007 }, 19_990, 20_000)).toEqual({ from: 19_990, to: 20_007 })
  expect(partWith({ from: 19_991, to: 20_007 }, 0, 20_000)).toEqual({ from: 0, to: 8 })
  expect(partWith({ from: 19_991, to: 20_007 }, -1, 100)).toEqual({ from: 92, to: 100 })
})

it('grows to both sides, by fewer cells where they are long', () => {
  const short = () => 10
  expect(withMore({ from: 20, to: 30 }, 'up', short)).toEqual({ from: 12, to: 30 })
  expect(withMore({ from: 3, to: 30 }, 'up', short)).toEqual({ from: 0, to: 30 })
  expect(withMore({ from: 3, to: 30 }, 'down', short)).toEqual({ from: 3, to: 38 })
  expect(withMore({ from: 3, to: 30 }, 'down', (place) => (place === 31 ? 5_000 : 10))).toEqual({ from: 3, to: 32 })
})
