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

describe('files of other editors', () => {
  const first = (text: string) => parseNotebook(text)[0]

  it.each([
    ['// %%', 'code', 'cell-1', undefined],
    ['//%%', 'code', 'cell-1', undefined],
    ['//  %% a  ', 'code', 'a', undefined],
    ['// %%%% deep', 'code', 'deep', undefined],
    ['// %% [code] a', 'code', 'a', undefined],
    ['//%%[md]why', 'markdown', 'why', undefined],
    ['// %% [Markdown]', 'markdown', 'cell-1', undefined],
    ['// %% why [markdown]', 'markdown', 'why', undefined],
    ['// %% why [markdown] slideshow={"slide_type": "slide"}', 'markdown', 'why', 'slideshow={"slide_type": "slide"}'],
    ['// %% a {"key": 1}', 'code', 'a', '{"key": 1}'],
    ['// %% {"key": 1}', 'code', 'cell-1', '{"key": 1}'],
    ['// %% [markdown] a b tags=["x"] n=true', 'markdown', 'a b', 'tags=["x"] n=true'],
    ['// %% x[0] [y]', 'code', 'x[0] [y]', undefined],
    ['// %% why [markdown] not', 'code', 'why [markdown] not', undefined],
    ['// %% [raw]', 'raw', 'cell-1', undefined],
    ['// %% [python] a', 'raw', 'a', undefined],
    ['// %% [] a', 'raw', 'a', undefined],
    ['// %% [a', 'code', '[a', undefined],
  ])('reads the header %s', (header, kind, id, metadata) => {
    expect(first(`${header}\n// x`)).toMatchObject({ kind, id })
    expect(first(header)?.metadata).toBe(metadata)
  })

  it('takes cell magics, commented or not, for text of their cell', () => {
    expect(parseNotebook('// %% a\n// %%time\n//%%bash\n%%html\n').map(({ source }) => source)).toEqual([
      '// %%time\n//%%bash\n%%html',
    ])
  })

  it('takes a line of text without comment marks as it is', () => {
    expect(first('// %% [markdown]\n// text\nconst a = 1\n')?.source).toBe('text\nconst a = 1')
  })

  it('knows no header that is indented, or other than by slashes', () => {
    expect(ids('// %% a\n  // %% b\n# %% c\n')).toEqual(['a'])
  })
})
