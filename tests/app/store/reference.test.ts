import { describe, expect, it } from 'vitest'
import type { Store } from '../../../app/store/index.ts'
import type { RunStart } from '../../../engine/records/run.ts'
import { freshStore } from './openedStores.ts'
import { begun, sampleRun } from './samples.ts'

function begin(store: Store, start: string, changes: Partial<RunStart> = {}, done = false): number {
  const id = begun(store.beginRun(sampleRun({ key: start.padEnd(64, '0'), ...changes })))
  if (done) store.record(id, [{ type: 'done', step: 1 }])
  return id
}

describe('showRun', () => {
  it('finds a run by id, by the start of its key and by name', () => {
    const store = freshStore()
    const id = begin(store, 'abcd12', { variant: 'gmlp' })
    const other = begin(store, 'ff0011', { variant: 'mixer', seed: 2 })
    for (const reference of [`${id}`, 'abcd', 'ABCD12', 'abcd12'.padEnd(64, '0'), 'gating/gmlp/0', ' 1 ']) {
      expect(store.showRun(reference).id).toBe(id)
    }
    expect(store.showRun('gating/mixer/2').id).toBe(other)
  })

  it('prefers the latest attempt that is done, else the latest', () => {
    const store = freshStore()
    store.record(begin(store, 'abcd'), [{ type: 'failed', step: 1, message: 'NaN' }])
    const latest = begin(store, 'abcd')
    expect(store.showRun('gating/gmlp/0').id).toBe(latest)
    store.record(latest, [{ type: 'failed', step: 1, message: 'NaN' }])
    begin(store, '1234', {}, true)
    const done = begin(store, 'abcd', {}, true)
    begin(store, '5678')
    expect(store.showRun('gating/gmlp/0').id).toBe(done)
    expect(store.showRun('abcd').id).toBe(done)
  })

  it('takes digits as an id first, and as the start of a key where there is no such run', () => {
    const store = freshStore()
    const id = begin(store, '1234')
    expect(store.showRun('1234').id).toBe(id)
    expect(store.showRun('1').id).toBe(id)
  })

  it('takes names with a slash', () => {
    const store = freshStore()
    const id = begin(store, 'abcd', { study: 'a/b', variant: 'c' })
    expect(store.showRun('a/b/c/0').id).toBe(id)
    begin(store, 'abce', { study: 'a', variant: 'b/c' })
    expect(() => store.showRun('a/b/c/0')).toThrow('is ambiguous: 2 a/b/c/0 abce0000, 1 a/b/c/0 abcd0000')
  })

  it('lists the candidates of an ambiguous key', () => {
    const store = freshStore()
    begin(store, 'abcd1', { variant: 'gmlp' })
    begin(store, 'abcd2', { variant: 'mixer' })
    expect(() => store.showRun('abcd')).toThrow(
      'run abcd: is ambiguous: 2 gating/mixer/0 abcd2000, 1 gating/gmlp/0 abcd1000',
    )
  })

  it.each([
    ['99', 'run 99: no such run (latest: 1 gating/gmlp/0 abcd0000)'],
    ['123456', 'run 123456: no such run (latest: 1 '],
    ['beef', 'run beef: no such run (latest: 1 '],
    ['abc', "run 'abc': not a reference to a run; allowed is an id such as '12', 4 or more digits of a key, or study/"],
    ['', "run '': not a reference"],
    ['gatign/gmlp/0', "no study 'gatign' (did you mean 'gating'?)"],
    ['gating/gmpl/0', "no variant 'gmpl' in study 'gating' (did you mean 'gmlp'?)"],
    ['gating/gmlp/7', "no seed '7' of gating/gmlp (known: 0)"],
    ['gating/gmlp/x', "no seed 'x' of gating/gmlp (known: 0)"],
    ['gating/gmlp', 'the seed is missing (known: 0)'],
    ['gating/', "no variant '' in study 'gating'"],
    ['99999999999999999999', 'no such run'],
  ])('says what is close to %j', (reference, message) => {
    const store = freshStore()
    begin(store, 'abcd')
    expect(() => store.showRun(reference)).toThrow(message)
  })

  it('says that there are no runs yet', () => {
    const store = freshStore()
    expect(() => store.showRun('1')).toThrow('run 1: no such run, the workspace has no runs yet')
    expect(() => store.showRun('a/b/0')).toThrow('run a/b/0: the workspace has no runs yet')
  })
})
