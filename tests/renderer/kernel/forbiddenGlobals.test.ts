import { describe, expect, it } from 'vitest'
import { removeForbiddenGlobals } from '../../../renderer/kernel/forbiddenGlobals.ts'

describe('shutDoors', () => {
  it('takes from a worker what reaches out, also what it inherits', () => {
    const inherited = { fetch() {}, setTimeout() {} }
    const world = Object.assign(Object.create(inherited), { indexedDB: {}, caches: {}, Worker: class {}, Math })
    removeForbiddenGlobals(world)
    expect(Object.keys(inherited)).toEqual(['setTimeout'])
    expect(Object.keys(world)).toEqual(['Math'])
  })

  it('leaves of the navigator what tells of the machine', () => {
    const prototype = { hardwareConcurrency: 2, storage: {}, locks: {}, sendBeacon() {} }
    const navigator = Object.create(prototype)
    removeForbiddenGlobals({ navigator })
    expect(Object.keys(prototype)).toEqual(['hardwareConcurrency'])
  })

  it('refuses a worker in which something stays', () => {
    const world = Object.defineProperty({}, 'fetch', { value() {}, configurable: false })
    expect(() => removeForbiddenGlobals(world)).toThrow("'fetch' stays open to cells")
  })
})
