import { beforeEach, expect, it, vi } from 'vitest'
import type { Host } from '../../../engine/host.ts'
import type { KeptWall, Wall } from '../../../engine/runs/wall.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import { openWalls, renameWall, setHidden, useWall } from '../../../renderer/wall/state.ts'
import { stubStorage } from '../storage.ts'

const wall: Wall = { by: ['variant'], x: 'step', logX: false, smoothing: 0, band: 'sd', panels: [] }
const first = () => wall
const fresh = useWall.getState()

let walls: KeptWall[] = []
const host: Partial<Host> = {
  listWalls: async () => walls,
  renameWall: async (from, to) => {
    walls = walls.map((each) => (each.name === from ? { ...each, name: to } : each))
  },
}

beforeEach(() => {
  walls = ['A', 'Charts'].map((name) => ({ name, wall, revision: 1 }))
  stubStorage()
  stubStorage('sessionStorage')
  useConnection.setState({ host: host as Host })
  // as a page that was loaded just now
  reload()
  return () => vi.unstubAllGlobals()
})

const reload = () => useWall.setState(fresh)
const shown = () => {
  const { name, hidden } = useWall.getState()
  return [name, ...hidden]
}

it('a wall that another tab renames is shown under its new name, not another wall', async () => {
  localStorage.setItem('mixlab.wall ', '"Charts"')
  await openWalls(first)
  expect(shown()).toEqual(['Charts'])
  // another tab does both
  await host.renameWall?.('Charts', 'Mine')
  localStorage.setItem('mixlab.wall ', '"Mine"')
  await openWalls(first)
  expect(shown()).toEqual(['Mine'])
})

it('the hidden groups of a wall are hidden after a reload: of one that was renamed, and of one that was never kept', async () => {
  localStorage.setItem('mixlab.wall ', '"Charts"')
  await openWalls(first)
  setHidden(['mixer'])
  await renameWall('Mine')
  reload()
  await openWalls(first)
  expect(shown()).toEqual(['Mine', 'mixer'])

  walls = []
  reload()
  await openWalls(first)
  setHidden(['gmlp'])
  reload()
  await openWalls(first)
  expect(shown()).toEqual(['Charts', 'gmlp'])
})
