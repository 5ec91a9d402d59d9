import { expect, it } from 'vitest'
import { trainingStore } from './openedStores.ts'
import { begun, sampleRun } from './samples.ts'

const { key } = sampleRun()
const bytes = new Uint8Array([1])
const interrupted = [
  { type: 'checkpoint', step: 1, weights: bytes, state: bytes } as const,
  { type: 'interrupted', step: 1 } as const,
]

it('lets an interrupted run go on elsewhere, and the run says so', () => {
  const { store, id } = trainingStore({ backend: 'webgl' })
  store.record(id, interrupted)
  expect(store.findResumable([key], 'simd')).toEqual([])

  store.changeBackend([id], 'simd')
  expect(store.findResumable([key], 'webgl')).toEqual([])
  expect(store.findResumable([key], 'simd')).toEqual([{ key, step: 1 }])
  expect(begun(store.beginRun(sampleRun({ backend: 'simd' })))).toBe(id)
  store.record(id, interrupted)
  store.changeBackend([id], 'simd')
  expect(store.listRuns()).toMatchObject([{ id, backend: 'webgl, simd' }])
  store.changeBackend([id], 'webgl')
  expect(store.listRuns()).toMatchObject([{ id, backend: 'webgl, simd, webgl' }])
})

it('refuses what is not interrupted, and then changes nothing', () => {
  const { store, id } = trainingStore({ backend: 'webgl' })
  store.record(id, interrupted)
  const done = begun(store.beginRun(sampleRun({ variant: 'done', backend: 'webgl' })))
  expect(() => store.changeBackend([id, done], 'simd')).toThrow(`run ${done}: is running, not interrupted`)
  store.record(done, [{ type: 'done', step: 1 }])
  expect(() => store.changeBackend([id, done], 'simd')).toThrow(`run ${done}: is done, not interrupted`)
  expect(() => store.changeBackend([id, 99], 'simd')).toThrow('run 99: no such run')
  expect(store.listRuns({ status: 'interrupted' })).toMatchObject([{ backend: 'webgl' }])
})
