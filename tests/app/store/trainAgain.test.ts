import { expect, it } from 'vitest'
import type { Store } from '../../../app/store/index.ts'
import { freshStore } from './openedStores.ts'
import { begun, sampleRun } from './samples.ts'

const { key } = sampleRun()
const bytes = new Uint8Array([1])

/** An attempt at the run that ends so. */
function attempt(store: Store, type: 'done' | 'failed' | 'interrupted', backend = 'cpu'): number {
  const id = begun(store.beginRun(sampleRun({ backend })))
  store.record(id, [
    { type: 'checkpoint', step: 1, weights: bytes, state: bytes },
    ...(type === 'failed' ? [{ type, step: 1, message: 'no' } as const] : [{ type, step: 1 } as const]),
  ])
  return id
}

it('makes studies train a run again, and keeps what it was', () => {
  const store = freshStore()
  const done = attempt(store, 'done')
  expect(store.beginRun(sampleRun())).toBeNull()
  expect(store.trainAgain([done])).toEqual([done])
  expect(store.findDone([key])).toEqual([])
  expect(store.listRuns()).toMatchObject([{ id: done, status: 'done', archived: true }])
  expect(store.readWeights(done)).toEqual(bytes)

  const again = attempt(store, 'done')
  expect(again).not.toBe(done)
  expect(store.findDone([key])).toMatchObject([{ id: again, archived: false }])
  store.archiveRuns([again], true)
  store.archiveRuns([done], false)
  expect(store.findDone([key])).toMatchObject([{ id: done }])
})

it('archives every attempt at a run, also what another backend could go on from', () => {
  const store = freshStore()
  const ids = [attempt(store, 'failed'), attempt(store, 'interrupted', 'simd'), attempt(store, 'done')]
  expect(store.trainAgain([ids[2] ?? 0, ids[0] ?? 0])).toEqual(ids)
  expect(store.trainAgain(ids)).toEqual([])
  expect(store.findResumable([key], 'simd')).toEqual([])
  expect(ids).not.toContain(begun(store.beginRun(sampleRun({ backend: 'simd' }))))
})

it('refuses what is in training, and what there is not, and then archives nothing', () => {
  const store = freshStore()
  const done = attempt(store, 'done')
  const other = begun(store.beginRun(sampleRun({ variant: 'other' })))
  expect(() => store.trainAgain([done, other])).toThrow(`run ${other}: is in training; interrupt it first`)
  expect(() => store.trainAgain([done, 99])).toThrow('run 99: no such run')
  expect(store.findDone([key])).toHaveLength(1)
  store.archiveRuns([other], true)
  expect(store.beginRun(sampleRun({ variant: 'other' }))).toBeNull() // one at a time, archived or not
})
