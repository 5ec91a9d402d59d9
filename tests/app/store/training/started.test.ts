import { describe, expect, it } from 'vitest'
import type { Store } from '../../../../app/store/index.ts'
import type { StartedCell } from '../../../../engine/host.ts'
import { stores } from '../openedStores.ts'

const cell = (changes: Partial<StartedCell> = {}): StartedCell => ({
  notebook: 'n.ts',
  cell: 'study',
  source: 'compare()',
  fingerprint: 'f',
  plans: { s: ['k1', 'k2'] },
  backend: 'simd',
  atOnce: null,
  at: 1,
  ...changes,
})
const held = (store: Store) => store.listStarted().map((each) => [each.cell, each.held])

describe('a cell that was started', () => {
  it('is kept as it was, the first one first, until it has ended', () => {
    const [store, other] = stores()
    store.keepStarted(cell({ cell: 'later', at: 2 }))
    store.keepStarted(cell())
    store.keepStarted(cell({ fingerprint: 'g' }))
    expect(other.listStarted()).toEqual([
      { ...cell({ fingerprint: 'g' }), held: true },
      { ...cell({ cell: 'later', at: 2 }), held: true },
    ])
    store.endStarted('n.ts', 'study')
    store.endStarted('n.ts', 'unknown')
    expect(held(other)).toEqual([['later', true]])
  })

  it('is taken by one at most, once nobody runs it', () => {
    const [store, other] = stores()
    store.keepStarted(cell())
    expect(other.takeStarted('n.ts', 'study')).toBe(false)
    other.freeStarted('n.ts', 'study') // is not its own
    expect(held(other)).toEqual([['study', true]])
    store.freeStarted('n.ts', 'study')
    expect(held(other)).toEqual([['study', false]])
    expect([other, store].map((each) => each.takeStarted('n.ts', 'study'))).toEqual([true, false])
    expect(store.takeStarted('n.ts', 'unknown')).toBe(false)
  })

  it('is free as soon as the process that ran it has gone', () => {
    const [store, other] = stores()
    store.keepStarted(cell())
    store.close()
    expect(held(other)).toEqual([['study', false]])
    expect(other.takeStarted('n.ts', 'study')).toBe(true)
  })

  it('goes along when its notebook is renamed', () => {
    const [store] = stores()
    store.keepStarted(cell())
    store.keepStarted(cell({ notebook: 'm.ts', cell: 'old' }))
    store.moveStarted('n.ts', 'm.ts')
    expect(store.listStarted().map(({ notebook, cell }) => [notebook, cell])).toEqual([['m.ts', 'study']])
  })
})
