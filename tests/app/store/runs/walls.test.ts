import { expect, it } from 'vitest'
import type { Wall } from '../../../../engine/runs/wall.ts'
import { storeIn } from '../openedStores.ts'
import { freshFolder } from '../samples.ts'

const wall: Wall = { by: ['variant'], x: 'step', logX: false, smoothing: 0, band: 'sd', panels: [] }

it('walls are kept under their names, and a change that has not seen the one before is refused', () => {
  const folder = freshFolder()
  const [store, other] = [storeIn(folder), storeIn(folder)]
  expect(store.keepWall('b', wall, null)).toBe(1)
  expect(other.keepWall('b', { ...wall, smoothing: 0.5 }, 1)).toBe(2)
  expect(() => store.keepWall('b', wall, 1)).toThrow('b: this wall was changed elsewhere')
  expect(() => store.keepWall('b', wall, null)).toThrow('b: there is a wall of this name already')
  expect(() => store.keepWall('c', wall, 1)).toThrow('c: this wall was removed or renamed')
  for (const name of ['', ' a', 'a'.repeat(61)])
    expect(() => store.keepWall(name, wall, null)).toThrow('is no name of a wall')

  store.keepWall('A', wall, null)
  expect(() => store.renameWall('A', 'b')).toThrow('b: there is a wall of this name already')
  expect(() => store.renameWall('x', 'y')).toThrow('x: no such wall')
  store.renameWall('A', 'a')
  expect(other.listWalls()).toEqual([
    { name: 'a', revision: 1, wall },
    { name: 'b', revision: 2, wall: { ...wall, smoothing: 0.5 } },
  ])
  for (const name of ['b', 'b']) store.removeWall(name)
  expect(other.listWalls().map(({ name }) => name)).toEqual(['a'])
})
