import { expect, it } from 'vitest'
import { bindImport } from '../../../engine/notebook/modules.ts'

const statement = (imported: string) => ({ module: 'm', start: 0, bindings: [{ local: 'x', imported }] })

it('binds names, the default and the whole module', () => {
  const m = { a: 1, default: 2 }
  expect(bindImport(statement('a'), { m }, 'c:1')).toEqual([['x', 1]])
  expect(bindImport(statement('default'), { m }, 'c:1')).toEqual([['x', 2]])
  expect(bindImport(statement('*'), { m }, 'c:1')).toEqual([['x', m]])
})

it('takes nothing that objects have by nature for a module or an export', () => {
  expect(() => bindImport(statement('toString'), { m: { a: 1 } }, 'c:1')).toThrow(
    "c:1: module 'm' has no export 'toString'",
  )
  expect(() => bindImport({ ...statement('a'), module: 'constructor' }, { m: {} }, 'c:1')).toThrow(
    "c:1: unknown module 'constructor' (known: m)",
  )
})

it('does not list the exports of a large module', () => {
  const m = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`export${index}`, index]))
  expect(() => bindImport(statement('zzz'), { m }, 'c:1')).toThrow(/^c:1: module 'm' has no export 'zzz'$/)
  expect(() => bindImport(statement('exprot1'), { m }, 'c:1')).toThrow("(did you mean 'export1'?)")
})
