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

it.each<[string, PageCell[], string[]]>([
  ['a cell gets an id that is free', inserted(cells, 1, 'code', 'new'), ['a', 'cell-3', 'cell-2', 'c']],
  ['also at the end', inserted(cells, 3, 'markdown', 'new'), ['a', 'cell-2', 'c', 'cell-4']],
  ['one that is put there keeps its id', put(cells, 1, cell('b')), ['a', 'b', 'cell-2', 'c']],
  ['but where it is taken', put(cells, 3, cell('a'), ['cell-4']), ['a', 'cell-2', 'c', 'cell-5']],
  ['it moves before another', movedBeside(cells, 'key of c', 'key of a', 'before'), ['c', 'a', 'cell-2']],
  ['or after it', movedBeside(cells, 'key of a', 'key of cell-2', 'after'), ['cell-2', 'a', 'c']],
])('%s', (_, changed, expected) => {
  expect(ids(changed)).toEqual(expected)
})

const [first, second] = [
  { ...cell('x'), source: 'one' },
  { ...cell('y'), source: 'two' },
]
const mixed = [first, { ...second, kind: 'sql' as const }]

it.each<[string, PageCell[], PageCell[]]>([
  ['moved beside itself', movedBeside(cells, 'key of a', 'key of a', 'after'), cells],
  ['moved beside nobody', movedBeside(cells, 'key of a', 'nobody', 'after'), cells],
  ['moved that is not there', movedBeside(cells, 'nobody', 'key of a', 'after'), cells],
  ['moved above the first', movedCell(cells, 'key of a', -1), cells],
  ['moved below the last', movedCell(cells, 'key of c', 1), cells],
  ['merged with another kind', merged(mixed, first.key), mixed],
  ['merged at the end', merged(mixed, second.key), mixed],
])('nothing changes where a cell is %s', (_, changed, before) => {
  expect(changed).toBe(before)
})

it('texts are merged by a blank line', () => {
  const texts = [first, second].map((each) => ({ ...each, kind: 'markdown' as const }))
  expect(merged(texts, first.key)[0]?.source).toBe('one\n\ntwo')
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
