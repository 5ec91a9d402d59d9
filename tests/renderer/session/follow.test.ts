import { expect, it } from 'vitest'
import { analyze } from '../../../engine/notebook/graph.ts'
import { CHEAP, followersOf, type LastRun } from '../../../renderer/session/follow.ts'

const SOURCES: Record<string, string> = {
  a: 'export const a = 1',
  b: 'export const b = a',
  c: 'export const c = a',
  d: 'export const d = b + c',
}
const facts = analyze(Object.entries(SOURCES).map(([id, source]) => ({ id, kind: 'code' as const, source })))
const all = Object.fromEntries(facts.cells.map(({ id, fingerprint }) => [id, fingerprint]))
const quick = (more: Record<string, Partial<LastRun>> = {}) =>
  new Map(Object.entries(SOURCES).map(([id, source]) => [id, { source, ms: 1, trains: false, ...more[id] }] as const))
const following = (id: string, ran = quick(), evaluated: Record<string, string> = all, queue: string[] = []) =>
  followersOf(id, facts, (other) => SOURCES[other], { ran, evaluated, queue })

it('no cell follows that took long, nor twice one that waits already, nor what uses a value out of date', () => {
  expect(following('a')).toEqual(['b', 'c'])
  expect(following('a', quick({ b: { ms: CHEAP + 1 } }))).toEqual(['c'])
  expect(following('a', quick(), all, ['b'])).toEqual(['c'])
  expect(following('b', quick(), { ...all, c: 'older' })).toEqual([])
  expect(following('b', quick(), { ...all, c: 'older' }, ['c'])).toEqual(['d'])
})
