import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { madeStore, outcomes } from './madeStore.ts'
import { begun, sampleRun } from './samples.ts'

const start = { type: 'start', steps: 2, parameters: 1 } as const
function opened() {
  const made = madeStore()
  onTestFinished(() => made.store.close())
  return made
}
const came = { type: 'outcomes', step: 2, outcomes } as const

describe('outcomes of examples', () => {
  it('are kept as one object, which goes with the last run that has it', () => {
    const { store, folder, done, running } = opened()
    expect(store.readOutcomes(done)).toEqual(outcomes)
    expect(store.readOutcomes(running)).toEqual(outcomes)
    store.record(running, [{ ...start, resumedAt: 0 }])
    expect(store.readOutcomes(running)).toBeNull() // it begins anew
    expect(store.readOutcomes(done)).toEqual(outcomes)
    expect(folder).toBeTruthy()
  })

  it('can be made up for a run that is done and has none, once', () => {
    const { store } = opened()
    const id = begun(store.beginRun(sampleRun({ variant: 'old' })))
    store.record(id, [start])
    expect(() => store.keepOutcomes(id, outcomes)).toThrow(`run ${id}: is not done`)
    store.record(id, [{ type: 'done', step: 2 }])
    expect(store.readOutcomes(id)).toBeNull()
    for (let time = 0; time < 2; time++) store.keepOutcomes(id, outcomes)
    expect(store.readOutcomes(id)).toEqual(outcomes)
  })

  it('are made whole by evaluating again where their object is damaged or gone', () => {
    const { store, folder, done } = opened()
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = files.map(({ parentPath, name }) => join(parentPath, name))
    const path = paths.find((each) => readFileSync(each).equals(outcomes)) ?? ''
    for (const harm of [() => writeFileSync(path, 'else'), () => rmSync(path)]) {
      harm()
      expect(() => store.readOutcomes(done)).toThrow(/is damaged|are missing/)
      store.keepOutcomes(done, outcomes)
      expect(store.readOutcomes(done)).toEqual(outcomes)
    }
  })

  it('are refused where they are none, or too large', () => {
    const { store, done, running } = opened()
    const record = (bytes: Uint8Array) => () => store.record(running, [{ ...came, outcomes: bytes }])
    expect(record(new Uint8Array(9))).toThrow('cannot be read')
    expect(record(new Uint8Array(30_001))).toThrow('outcomes of 30001 bytes, expected at most 30000')
    expect(() => store.keepOutcomes(done, new Uint8Array(3))).toThrow('cannot be read')
    expect(() => store.readOutcomes(99)).toThrow('no such run')
  })
})
