import { describe, expect, it } from 'vitest'
import { mergeNotebooks, withCell } from '../../../engine/notebook/merge.ts'
import type { Cell } from '../../../engine/notebook/types.ts'
import { integer, keyOf } from '../../../engine/random.ts'

/** Cells from `a1 b2`: an id and its text each. */
function cells(text: string): Cell[] {
  const words = text.split(' ').filter(Boolean)
  return words.map((word) => ({ id: word.slice(0, 1), kind: 'code', source: word.slice(1) }))
}

function merge(base: string, mine: string, theirs: string): string {
  const { cells: merged, conflicts } = mergeNotebooks(cells(base), cells(mine), cells(theirs))
  const asked = conflicts.map((each) => `${each.id}:${each.mine?.source ?? '-'}/${each.theirs?.source ?? '-'}`)
  return [...merged.map(({ id, source }) => id + source), ...asked].join(' ')
}

describe('merging', () => {
  it.each([
    ['different cells', 'a1 b1', 'a2 b1', 'a1 b2', 'a2 b2'],
    ['the same change', 'a1 b1', 'a2 b1', 'a2 b1', 'a2 b1'],
    ['the same cell', 'a1 b1', 'a2 b1', 'a3 b1', 'a2 b1 a:2/3'],
    ['a deletion', 'a1 b1', 'b1', 'a1 b2', 'b2'],
    ['a deletion here of what changed there', 'a1 b1', 'b1', 'a2 b1', 'b1 a:-/2'],
    ['a deletion there of what changed here', 'a1 b1', 'a2 b1', 'b1', 'a2 b1 a:2/-'],
    ['new cells of both', 'a1 b1', 'x1 a1 b1', 'a1 y1 b1 z1', 'x1 a1 y1 b1 z1'],
    ['new cells of one name', 'a1', 'a1 x1', 'a1 x2', 'a1 x1 x:1/2'],
    ['an order of ours', 'a1 b1 c1', 'c1 a1 b1', 'a1 b2 c1', 'c1 a1 b2'],
    ['an order of theirs', 'a1 b1 c1', 'a1 b2 c1', 'c1 a1 b1', 'c1 a1 b2'],
    ['two orders', 'a1 b1 c1', 'c1 a1 b1', 'b1 a1 c1', 'c1 a1 b1'],
  ])('takes over %s', (_, base, mine, theirs, merged) => {
    expect(merge(base, mine, theirs)).toBe(merged)
  })

  it('counts the kind and the metadata of a cell', () => {
    const [cell] = cells('a1') as [Cell]
    expect(mergeNotebooks([cell], [{ ...cell, kind: 'sql' }], [{ ...cell, metadata: '{}' }]).conflicts).toHaveLength(1)
  })

  it('with one side unchanged is the other, and never invents or drops a cell', () => {
    for (let seed = 0; seed < 500; seed++) {
      const key = keyOf(seed, 'merge')
      let counter = 0
      const some = () => {
        const ids = [...'abcdef']
        return Array.from({ length: integer(key, counter++, 6) }, () => {
          const [id = ''] = ids.splice(integer(key, counter++, ids.length), 1)
          return id + integer(key, counter++, 3)
        }).join(' ')
      }
      const [base, mine, theirs] = [some(), some(), some()]
      expect(merge(base, mine, base), `case ${seed}`).toBe(mine)
      expect(merge(base, base, theirs), `case ${seed}`).toBe(theirs)
      expect(merge(base, mine, mine), `case ${seed}`).toBe(mine)
      const { cells: merged } = mergeNotebooks(cells(base), cells(mine), cells(theirs))
      const known = new Set([...mine.split(' '), ...theirs.split(' ')])
      for (const { id, source } of merged) expect(known, `case ${seed}`).toContain(id + source)
      expect(new Set(merged.map(({ id }) => id)).size, `case ${seed}`).toBe(merged.length)
    }
  })
})

describe('withCell', () => {
  const show = (all: Cell[]) => all.map(({ id, source }) => id + source).join(' ')

  it('replaces, removes, and adds a cell where the other side has it', () => {
    const [other] = cells('b9') as [Cell]
    expect(show(withCell(cells('a1 b1'), 'b', other, []))).toBe('a1 b9')
    expect(show(withCell(cells('a1 b1'), 'b', null, []))).toBe('a1')
    expect(show(withCell(cells('a1 c1'), 'b', other, cells('a1 b9 c1')))).toBe('a1 b9 c1')
  })
})
