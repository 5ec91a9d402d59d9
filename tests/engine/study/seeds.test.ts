import { expect, it } from 'vitest'
import { DEFAULT_SEEDS, seedList } from '../../../engine/study/seeds.ts'

it('counts from 1, or takes what it is given', () => {
  expect(seedList(3)).toEqual([1, 2, 3])
  expect(seedList(0)).toEqual([])
  expect(seedList([7, 2])).toEqual([7, 2])
  expect(seedList(DEFAULT_SEEDS)).toEqual([1, 2, 3])
})
