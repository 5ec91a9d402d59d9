import { describe, expect, it } from 'vitest'
import { type AdapterCheckCalls, checkAdapter } from '../../../renderer/kernel/adapterCheck.ts'

const worst = { tensor: 'grad.x', error: 0.25, tolerance: 1e-5 }

/** A page that remembers, and a check by which a case passes or not. */
function setting(passes: (name: string) => boolean) {
  const notes = new Map<string, string | null>()
  const checked: string[] = []
  const page: AdapterCheckCalls = {
    selfTested: async (adapter) => (notes.has(adapter) ? { why: notes.get(adapter) ?? null } : null),
    noteSelfTest: async (adapter, why) => void notes.set(adapter, why),
    selfTestCases: async () => ['a', 'b', 'c'].map((name) => ({ name, file: new Uint8Array() })),
  }
  const check = async (_: Uint8Array, name: string) => {
    checked.push(name)
    if (name === 'c') throw new Error('c: no shader')
    return { passed: passes(name), worst }
  }
  return { notes, checked, test: (adapter: string) => checkAdapter(adapter, page, check) }
}

describe('selfTest', () => {
  it('refuses an adapter that computes something else, with the reason, and remembers that', async () => {
    const { test, checked, notes } = setting((name) => name === 'a')
    const why = 'b, grad.x: 2.5e-1, at most 0.00001'
    await expect(test('card')).rejects.toThrow(`it does not pass its self-test: ${why}`)
    await expect(test('card')).rejects.toThrow(why)
    expect([checked, notes]).toEqual([['a', 'b'], new Map([['card', why]])])
  })

  it('refuses one on which a case cannot be computed', async () => {
    await expect(setting(() => true).test('card')).rejects.toThrow('it does not pass its self-test: c: no shader')
  })

  it('tests an adapter that passes once', async () => {
    const { test, checked, notes } = setting(() => true)
    notes.set('card', null)
    await test('card')
    expect(checked).toEqual([])
  })
})
