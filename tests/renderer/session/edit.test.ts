import { describe, expect, it } from 'vitest'
import {
  inserted,
  merged,
  movedBeside,
  movedCell,
  nameProblem,
  type PageCell,
  put,
} from '../../../renderer/session/edit.ts'

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

describe('put', () => {
  it('keeps the id of a cell where it is free', () => {
    expect(ids(put(cells, 1, cell('b')))).toEqual(['a', 'b', 'cell-2', 'c'])
    expect(ids(put(cells, 3, cell('a'), ['cell-4']))).toEqual(['a', 'cell-2', 'c', 'cell-5'])
  })
})

describe('movedBeside', () => {
  it('moves before or after another cell', () => {
    expect(ids(movedBeside(cells, 'key of c', 'key of a', 'before'))).toEqual(['c', 'a', 'cell-2'])
    expect(ids(movedBeside(cells, 'key of a', 'key of cell-2', 'after'))).toEqual(['cell-2', 'a', 'c'])
  })

  it('changes nothing beside itself or nobody', () => {
    expect(movedBeside(cells, 'key of a', 'key of a', 'after')).toBe(cells)
    expect(movedBeside(cells, 'key of a', 'nobody', 'after')).toBe(cells)
    expect(movedBeside(cells, 'nobody', 'key of a', 'after')).toBe(cells)
  })
})

describe('merged', () => {
  const [first, second] = [
    { ...cell('x'), source: 'one' },
    { ...cell('y'), source: 'two' },
  ]

  it('joins cells of one kind', () => {
    expect(merged([first, second], first.key)).toEqual([{ ...first, source: 'one\ntwo' }])
    const texts = [first, second].map((each) => ({ ...each, kind: 'markdown' as const }))
    expect(merged(texts, first.key)[0]?.source).toBe('one\n\ntwo')
  })

  it('changes nothing at the end and between kinds', () => {
    const mixed = [first, { ...second, kind: 'sql' as const }]
    expect(merged(mixed, first.key)).toBe(mixed)
    expect(merged(mixed, second.key)).toBe(mixed)
  })
})

describe('moved', () => {
  it('moves by one place', () => {
    expect(ids(movedCell(cells, 'key of c', -1))).toEqual(['a', 'c', 'cell-2'])
    expect(ids(movedCell(cells, 'key of a', 1))).toEqual(['cell-2', 'a', 'c'])
  })

  it('changes nothing at the ends and for unknown cells', () => {
    expect(movedCell(cells, 'key of a', -1)).toBe(cells)
    expect(movedCell(cells, 'key of c', 1)).toBe(cells)
    expect(movedCell(cells, 'nobody', 1)).toBe(cells)
  })
})

describe('nameProblem', () => {
  it('finds names that a notebook cannot hold', () => {
    expect(nameProblem(cells, 'key of a', '')).toBe('a cell needs a name')
    expect(nameProblem(cells, 'key of a', 'x {}')).toBe("a name is one line that does not end in '{...}' or 'key=...'")
    expect(nameProblem(cells, 'key of a', '[x]')).toBeNull()
    expect(nameProblem(cells, 'key of a', 'c')).toBe("another cell is named 'c'")
  })

  it('lets a cell keep its name or take a free one', () => {
    expect(nameProblem(cells, 'key of a', 'a')).toBeNull()
    expect(nameProblem(cells, 'key of a', 'my block')).toBeNull()
  })
})
