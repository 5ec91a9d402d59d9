import { describe, expect, it } from 'vitest'
import type { Wall } from '../../../engine/runs/wall.ts'
import { freshStore, storeIn } from './openedStores.ts'
import { addRun, query } from './runs/samples.ts'
import { freshFolder, freshWorkspace, makeOldStore } from './samples.ts'

describe('what the user says of runs', () => {
  it('is tags, which are added and removed', () => {
    const store = freshStore()
    const [a, b] = [addRun(store), addRun(store, { seed: 2 })]
    store.tagRuns([a, b], ['keep', 'best'], [])
    store.tagRuns([b], ['keep'], ['best'])
    const tagged = (filter: string) => store.queryRuns(query({ filter, columns: ['tags'] })).rows
    expect(tagged('tag:keep').map(({ tags, values }) => [tags, values])).toEqual([
      [['keep'], ['keep']],
      [['best', 'keep'], ['best keep']],
    ])
    expect(tagged('tag:best').map(({ id }) => id)).toEqual([a])
    expect(tagged('-tag:best').map(({ id }) => id)).toEqual([b])
    expect(tagged('KEE').map(({ id }) => id)).toEqual([b, a])
    expect(store.runFields().tags).toEqual(['best', 'keep'])
    expect(() => store.tagRuns([a, 99], ['x'], [])).toThrow('run 99: no such run')
    expect(store.runFields().tags).toEqual(['best', 'keep'])
    for (const tag of ['', 'two words', 'a,b', '-a', 'a*', 'x'.repeat(51)])
      expect(() => store.tagRuns([a], [tag], [])).toThrow(`tag: '${tag}' is no tag`)
  })

  it('is a note, and whether they are put away', () => {
    const store = freshStore()
    const [a, b] = [addRun(store), addRun(store, { seed: 2 })]
    store.noteRun(a, 'Why so good?')
    const ids = (filter: string) => store.queryRuns(query({ filter })).rows.map(({ id }) => id)
    expect(ids('note:"so good"')).toEqual([a])
    expect(ids('note:""')).toEqual([b])
    store.archiveRuns([a], true)
    expect(ids('')).toEqual([b])
    expect(ids('archived:yes')).toEqual([a])
    store.archiveRuns([a], false)
    expect(ids('')).toEqual([b, a])
    expect(() => store.noteRun(99, '')).toThrow('run 99: no such run')
    expect(() => store.noteRun(a, 'x'.repeat(10_001))).toThrow('note: has 10001 characters, expected at most 10000')
    expect(() => store.archiveRuns([99], true)).toThrow('run 99: no such run')
  })
})

it('enters the runs of before there were lists', () => {
  const folder = freshFolder()
  makeOldStore(folder)
  const store = storeIn(folder)
  expect(store.groupRuns(query({ columns: ['train.steps'] })).rows).toMatchObject([{ runs: [1, 2], values: [10] }])
})

describe('walls', () => {
  const wall: Wall = { by: ['variant'], x: 'step', logX: false, smoothing: 0, band: 'sd', panels: [] }

  it('walls are kept under their names, and a change that has not seen the one before is refused', () => {
    const folder = freshWorkspace()
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
})

describe('cell outputs', () => {
  it('are those last written for each cell of a notebook, over a reopening too', () => {
    const folder = freshWorkspace()
    const first = storeIn(folder)
    first.writeOutput('a.ts', { cell: 'study', fingerprint: 'old', output: 1 })
    first.writeOutput('a.ts', { cell: 'study', fingerprint: 'new', output: { rows: [1, null, 'é'] } })
    first.writeOutput('a.ts', { cell: 'block', fingerprint: 'f', output: undefined })
    first.writeOutput('b.ts', { cell: 'study', fingerprint: 'f', output: 2 })
    first.close()
    const store = storeIn(folder)
    expect(store.readOutputs('a.ts')).toEqual([
      { cell: 'block', fingerprint: 'f', output: null },
      { cell: 'study', fingerprint: 'new', output: { rows: [1, null, 'é'] } },
    ])
    expect(store.readOutputs('c.ts')).toEqual([])
  })

  it('go with a notebook to its new name, in place of what was there', () => {
    const store = freshStore()
    store.writeOutput('a.ts', { cell: 'study', fingerprint: 'f', output: 1 })
    store.writeOutput('b.ts', { cell: 'other', fingerprint: 'f', output: 2 })
    store.moveOutputs('a.ts', 'b.ts')
    expect(store.readOutputs('a.ts')).toEqual([])
    expect(store.readOutputs('b.ts')).toEqual([{ cell: 'study', fingerprint: 'f', output: 1 }])
  })
})
