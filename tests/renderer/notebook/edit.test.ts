import { describe, expect, it } from 'vitest'
import { inserted, moved, nameProblem, type PageCell } from '../../../renderer/notebook/edit.ts'

const cell = (id: string): PageCell => ({ id, key: `key of ${id}`, kind: 'code', source: '' })
const cells = [cell('a'), cell('cell-2'), cell('c')]
const ids = (of: PageCell[]) => of.map(({ id }) => id)

describe('inserted', () => {
  it('puts a cell in its place under an id that is free', () => {
    expect(ids(inserted(cells, 1, 'code', 'new'))).toEqual(['a', 'cell-3', 'cell-2', 'c'])
    expect(ids(inserted(cells, 3, 'markdown', 'new'))).toEqual(['a', 'cell-2', 'c', 'cell-4'])
    expect(inserted([], 0, 'sql', 'new')).toEqual([{ id: 'cell-1', key: 'new', kind: 'sql', source: '' }])
  })
})

describe('moved', () => {
  it('moves by one place', () => {
    expect(ids(moved(cells, 'key of c', -1))).toEqual(['a', 'c', 'cell-2'])
    expect(ids(moved(cells, 'key of a', 1))).toEqual(['cell-2', 'a', 'c'])
  })

  it('changes nothing at the ends and for unknown cells', () => {
    expect(moved(cells, 'key of a', -1)).toBe(cells)
    expect(moved(cells, 'key of c', 1)).toBe(cells)
    expect(moved(cells, 'nobody', 1)).toBe(cells)
  })
})

describe('nameProblem', () => {
  it('finds names that a notebook cannot hold', () => {
    expect(nameProblem(cells, 'key of a', '')).toBe('a cell needs a name')
    expect(nameProblem(cells, 'key of a', 'x]')).toBe('a name is one line without brackets')
    expect(nameProblem(cells, 'key of a', 'c')).toBe("another cell is named 'c'")
  })

  it('lets a cell keep its name or take a free one', () => {
    expect(nameProblem(cells, 'key of a', 'a')).toBeNull()
    expect(nameProblem(cells, 'key of a', 'my block')).toBeNull()
  })
})
