import { describe, expect, it } from 'vitest'
import { parseNotebook } from '../../../engine/notebook/parse.ts'

const ids = (text: string) => parseNotebook(text).map(({ id }) => id)

describe('cells', () => {
  it('reads kinds, names and sources', () => {
    const text = `// %% [markdown] why
// # Does the gate
//
// have to multiply?

// %% block
const a = 1

const b = 2

// %% [sql] slowest
// select 1
`
    expect(parseNotebook(text)).toEqual([
      { id: 'why', kind: 'markdown', source: '# Does the gate\n\nhave to multiply?' },
      { id: 'block', kind: 'code', source: 'const a = 1\n\nconst b = 2' },
      { id: 'slowest', kind: 'sql', source: 'select 1' },
    ])
  })

  it('takes text before the first header as a code cell, with shebang and licence', () => {
    const cells = parseNotebook('#!/usr/bin/env mixlab\n// Licence: MIT\n\n// %% a\n1\n')
    expect(cells[0]).toEqual({ id: 'top', kind: 'code', source: '#!/usr/bin/env mixlab\n// Licence: MIT' })
    expect(cells).toHaveLength(2)
  })

  it('takes a file without headers as one cell', () => {
    expect(parseNotebook('const a = 1')).toEqual([{ id: 'top', kind: 'code', source: 'const a = 1' }])
  })

  it('has no cell for blank text before the first header, nor for an empty file', () => {
    expect(ids('\n  \n// %% a\n')).toEqual(['a'])
    expect(ids('')).toEqual([])
    expect(ids('\n\n')).toEqual([])
  })

  it('reads CRLF, a byte order mark and a last line without a line end', () => {
    expect(parseNotebook('\uFEFF// %% a\r\n1\r\n\r\n// %% b\r\n2')).toEqual([
      { id: 'a', kind: 'code', source: '1' },
      { id: 'b', kind: 'code', source: '2' },
    ])
  })

  it('starts a cell at every line that looks like a header, even in a template string', () => {
    expect(parseNotebook('// %% a\nconst t = `\n// %% b\n`\n').map(({ source }) => source)).toEqual([
      'const t = `',
      '`',
    ])
  })

  it('accepts [md], and a header without spaces', () => {
    expect(parseNotebook('// %%[md]why\n// x').at(0)).toEqual({ id: 'why', kind: 'markdown', source: 'x' })
  })

  it('keeps indentation in comments, and takes blank lines around a comment for separators', () => {
    const text = '// %% [markdown] a\n\n//   indented\n\n//tight\n\n\n// %% b\n'
    expect(parseNotebook(text).at(0)?.source).toBe('  indented\n\ntight')
  })
})

describe('ids', () => {
  it('come from the place of an unnamed cell', () => {
    expect(ids('// %%\n1\n// %% [sql]\n// select 1\n// %%\n')).toEqual(['cell-1', 'cell-2', 'cell-3'])
  })

  it('never take a name that is written anywhere', () => {
    expect(ids('// %%\n// %% cell-1\n// %% a\n// %% a\n// %% a-2\n')).toEqual(['cell-1-2', 'cell-1', 'a', 'a-3', 'a-2'])
    expect(ids('1\n// %% top\n')).toEqual(['top-2', 'top'])
  })
})

describe('mistakes', () => {
  it('names a misspelt kind, its line and what was meant', () => {
    expect(() => parseNotebook('// %% a\n\n// %% [mardown] why\n')).toThrow(
      "line 3: unknown cell kind 'mardown' (did you mean 'markdown'?)",
    )
  })

  it('lists the kinds where none is close', () => {
    expect(() => parseNotebook('// %% [python]\n')).toThrow(
      "line 1: unknown cell kind 'python' (known: markdown, md, sql)",
    )
  })

  it('names the line of code in a markdown cell', () => {
    expect(() => parseNotebook('// %% a\n1\n\n// %% [markdown] why\n// text\nconst a = 1\n')).toThrow(
      expect.objectContaining({
        code: 'notebook',
        path: 'line 6',
        message: "line 6: a line of a markdown cell starts with '//'",
      }),
    )
  })

  it('shows where the kind goes', () => {
    expect(() => parseNotebook('// %% why [markdown]\n')).toThrow(
      "line 1: cell name 'why [markdown]' has a bracket; write '// %% [kind] name'",
    )
  })
})
