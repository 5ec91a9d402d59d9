import { describe, expect, it } from 'vitest'
import type { RunReport } from '../../../engine/records/report.ts'
import { freshStore, storeIn, trainingStore } from './openedStores.ts'
import { begun, freshFolder, makeOldStore, sampleRun } from './samples.ts'

/** A report that is told from others by a name. */
function reportOf(name: string): RunReport {
  const wrong = [{ index: 7, label: 0, predicted: 1, probability: 0.9 }]
  const confusion = [
    [3, 1],
    [0, 0],
  ]
  return { eval: { kind: 'classification', classes: [name, 'ö"\n'], confusion, accuracy: [0.75, null], wrong } }
}

describe('readReport', () => {
  it('gives what was recorded, over a reopening too, and each run its own', () => {
    const folder = freshFolder()
    const first = storeIn(folder)
    const [a, b] = ['a', 'b'].map((variant) => begun(first.beginRun(sampleRun({ variant }))))
    const masked: RunReport = {
      matched: reportOf('c').eval as RunReport[string],
      eval: { kind: 'maskedTokens', texts: [{ index: 0, tokens: ['a'], masked: [] }] },
    }
    first.record(a ?? 0, [{ type: 'report', step: 4, report: reportOf('a') }])
    first.record(b ?? 0, [{ type: 'report', step: 4, report: masked }])
    expect(first.readReport(a ?? 0)).toEqual(reportOf('a'))
    first.close()
    const store = storeIn(folder)
    expect(store.readReport(a ?? 0)).toEqual(reportOf('a'))
    expect(store.readReport(b ?? 0)).toEqual(masked)
  })

  it('gives the last of a run, in one batch or in two', () => {
    const { store, id } = trainingStore()
    store.record(id, [
      { type: 'report', step: 2, report: reportOf('first') },
      { type: 'report', step: 4, report: reportOf('second') },
    ])
    expect(store.readReport(id)).toEqual(reportOf('second'))
    store.record(id, [{ type: 'report', step: 6, report: reportOf('third') }])
    expect(store.readReport(id)).toEqual(reportOf('third'))
  })

  it('forgets what an attempt told after the step that the next one goes on from', () => {
    const { store, id } = trainingStore()
    const goOn = (resumedAt: number) => {
      store.record(id, [{ type: 'interrupted', step: 9 }])
      expect(begun(store.beginRun(sampleRun()))).toBe(id)
      store.record(id, [{ type: 'start', steps: 9, parameters: 1, resumedAt }])
    }
    store.record(id, [{ type: 'report', step: 6, report: reportOf('a') }])
    goOn(6)
    expect(store.readReport(id)).toEqual(reportOf('a'))
    goOn(5)
    expect(store.readReport(id)).toBeNull()
  })

  it('gives null for a run that told nothing, and names one that is not there', () => {
    const store = freshStore()
    expect(store.readReport(begun(store.beginRun(sampleRun())))).toBeNull()
    expect(() => store.readReport(99)).toThrow('run 99: no such run')
    expect(() => store.record(99, [{ type: 'report', step: 1, report: reportOf('a') }])).toThrow('run 99: no such run')
  })

  it('takes reports in a store that was made before there were any', () => {
    const folder = freshFolder()
    makeOldStore(folder)
    const store = storeIn(folder)
    expect(store.readReport(1)).toBeNull()
    const id = begun(store.beginRun(sampleRun()))
    store.record(id, [{ type: 'report', step: 1, report: reportOf('a') }])
    expect(store.readReport(id)).toEqual(reportOf('a'))
  })
})
