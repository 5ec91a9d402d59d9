import { describe, expect, it } from 'vitest'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import { printNotebook } from '../../../engine/notebook/print.ts'
import type { Cell } from '../../../engine/notebook/types.ts'

const code = (id: string, source: string): Cell => ({ id, kind: 'code', source })

describe('format', () => {
  it('puts one blank line between cells and hides ids that come from the place', () => {
    const cells: Cell[] = [
      code('top', '// Licence: MIT'),
      { id: 'why', kind: 'markdown', source: '# Why\n\n%% note' },
      code('cell-3', 'const a = 1'),
      { id: 'cell-9', kind: 'sql', source: 'select 1' },
    ]
    const markdown = '// %% [markdown] why\n// # Why\n//\n // %% note\n'
    const text = `// Licence: MIT\n\n${markdown}\n// %%\nconst a = 1\n\n// %% [sql] cell-9\n// select 1\n`
    expect(printNotebook(cells)).toBe(text)
    expect(parseNotebook(text)).toEqual(cells)
  })

  it('writes LF', () => {
    expect(printNotebook([code('a', '1\r\n2')])).toBe('// %% a\n1\n2\n')
  })

  it('keeps blank lines at both ends of a source, and blank sources', () => {
    const cells = [code('top', '\na\n\n'), code('b', ''), code('c', '\n'), code('d', '\n\n'), code('e', 'x\n')]
    expect(parseNotebook(printNotebook(cells))).toEqual(cells)
  })
})

describe('an edited notebook', () => {
  const edited = (before: string, change: (cells: Cell[]) => Cell[]) =>
    printNotebook(change(parseNotebook(before)), before)
  const BEFORE = '\uFEFF\r\n//%%  a  {"tags": ["x"]} \r\n1\r\n\r\n//%%[md]\r\n//tight\r\n//%% c\r\n3'

  it('keeps every byte of what was not edited', () => {
    expect(edited(BEFORE, (cells) => cells)).toBe(BEFORE)
    expect(edited(BEFORE, (cells) => cells.map((cell) => (cell.id === 'a' ? { ...cell, source: '1\n2' } : cell)))).toBe(
      BEFORE.replace('1', '1\r\n2'),
    )
  })

  it('keeps the header of an edited cell, and its metadata when it is renamed', () => {
    const renamed = edited(BEFORE, (cells) => cells.map((cell) => (cell.id === 'a' ? { ...cell, id: 'b' } : cell)))
    expect(renamed).toContain('\r\n// %% b {"tags": ["x"]}\r\n1\r\n\r\n//%%[md]\r\n//tight')
    const other = edited(BEFORE, (cells) => cells.map((cell) => (cell.id === 'a' ? { ...cell, kind: 'sql' } : cell)))
    expect(other).toContain('// %% [sql] a {"tags": ["x"]}\r\n// 1\r\n')
  })

  it('names an unnamed cell once its place does not give its id', () => {
    const before = '// %%\n1\n\n// %%\n2\n'
    expect(edited(before, ([first, second]) => [second, first].filter((cell) => cell !== undefined))).toBe(
      '// %% cell-2\n2\n\n// %% cell-1\n1\n',
    )
    expect(edited(before, (cells) => cells.slice(1))).toBe('// %% cell-2\n2\n')
  })

  it('separates a new cell from the last line, and ends as the file ended', () => {
    expect(edited('1', (cells) => [...cells, code('b', '2')])).toBe('1\n\n// %% b\n2')
    expect(edited('  ', (cells) => [...cells, code('b', '2')])).toBe('  \n// %% b\n2')
    expect(edited('// %% a\n1\n', () => [])).toBe('')
  })

  it('does not lose a blank last line of a source', () => {
    const before = '// %% a\n1\n// %% b\n2'
    for (const at of [0, 1]) {
      const cells = parseNotebook(before).map((cell, index) => (index === at ? { ...cell, source: 'x\n' } : cell))
      expect(parseNotebook(printNotebook(cells, before))).toEqual(cells)
    }
  })
})

describe('mistakes', () => {
  it('refuses code with a line that would start a cell', () => {
    expect(() => printNotebook([code('a', 'const t = `\n// %% b\n`')])).toThrow(
      "a:2: the line '// %% b' would start a new cell",
    )
  })

  it('refuses two cells with one id', () => {
    expect(() => printNotebook([code('a', ''), code('a', '')])).toThrow('a: two cells have this id')
  })

  it('refuses ids that a header cannot hold', () => {
    for (const id of ['a\nb', ' a', 'a {"b": 1}', 'a b="c"']) {
      expect(() => printNotebook([code(id, '')])).toThrow('a cell name is one line without outer white space')
    }
    expect(() => printNotebook([code('', '')])).toThrow('cell 1: its id is empty')
  })
})
