import { describe, expect, it } from 'vitest'
import { freshStore, storeIn } from '../openedStores.ts'
import { freshFolder, makeOldStore } from '../samples.ts'
import { addRun, query } from './samples.ts'

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
