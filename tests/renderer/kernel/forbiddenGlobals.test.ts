import { expect, it } from 'vitest'
import { removeForbiddenGlobals } from '../../../renderer/kernel/forbiddenGlobals.ts'

// tests/e2e/security.test.ts tries every door of a kernel

it('leaves of the navigator what tells of the machine, also of what it inherits', () => {
  const prototype = { hardwareConcurrency: 2, storage: {}, locks: {}, sendBeacon() {} }
  removeForbiddenGlobals({ navigator: Object.create(prototype) })
  expect(Object.keys(prototype)).toEqual(['hardwareConcurrency'])
})

it('refuses a worker in which something stays', () => {
  const world = Object.defineProperty({}, 'fetch', { value() {}, configurable: false })
  expect(() => removeForbiddenGlobals(world)).toThrow("'fetch' stays open to cells")
})
