import { describe, expect, it } from 'vitest'
import { analyze } from '../../../engine/notebook/graph.ts'
import { schedule } from '../../../renderer/session/schedule.ts'

const code = (id: string, source: string) => ({ id, kind: 'code' as const, source })
const facts = analyze([
  code('use', 'export const use = a + b'),
  code('a', 'export const a = 1'),
  code('b', 'export const b = a + 1'),
  code('other', 'export const other = 5'),
])
const all = Object.fromEntries(facts.cells.map(({ id, fingerprint }) => [id, fingerprint]))

describe('schedule', () => {
  it('runs first what a cell depends on, in order', () => {
    expect(schedule(facts, {}, ['use'])).toEqual([
      { id: 'a', wanted: false },
      { id: 'b', wanted: false },
      { id: 'use', wanted: true },
    ])
  })

  it('runs nothing again that the kernel holds as it is now', () => {
    expect(schedule(facts, all, ['use'])).toEqual([{ id: 'use', wanted: true }])
  })

  it('runs a dependency again whose text has changed', () => {
    const steps = schedule(facts, { ...all, b: 'older' }, ['use'])
    expect(steps.map(({ id }) => id)).toEqual(['b', 'use'])
  })

  it('runs a wanted cell even if the kernel holds it', () => {
    expect(schedule(facts, all, ['a'])).toEqual([{ id: 'a', wanted: true }])
  })

  it('tells wanted cells from those they need', () => {
    expect(schedule(facts, {}, ['use', 'a']).filter(({ wanted }) => wanted)).toHaveLength(2)
  })

  it('keeps a cell that analysis does not know, so that its error shows', () => {
    expect(schedule(facts, {}, ['gone'])).toEqual([{ id: 'gone', wanted: true }])
  })
})
