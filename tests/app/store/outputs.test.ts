import { describe, expect, it } from 'vitest'
import { freshStore, storeIn } from './openedStores.ts'
import { freshFolder } from './samples.ts'

describe('cell outputs', () => {
  it('are those last written for each cell of a notebook, over a reopening too', () => {
    const folder = freshFolder()
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
