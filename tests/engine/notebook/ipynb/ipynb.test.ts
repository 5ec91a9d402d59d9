import { describe, expect, it } from 'vitest'
import { readIpynb, writeIpynb } from '../../../../engine/notebook/ipynb/index.ts'
import { parseNotebook } from '../../../../engine/notebook/parse.ts'
import { printNotebook } from '../../../../engine/notebook/print.ts'
import type { Cell } from '../../../../engine/notebook/types.ts'
import { integer, keyOf } from '../../../../engine/random.ts'

function notebook(cells: object[], language = 'python', nbformat = 4): string {
  return JSON.stringify({ nbformat, nbformat_minor: 5, metadata: { kernelspec: { language } }, cells })
}

describe('writing', () => {
  const cells: Cell[] = [
    { id: 'top', kind: 'code', source: 'const a = 1\n\nconst b = 2' },
    { id: 'why this?', kind: 'markdown', source: '# Why', metadata: '{"tags": ["x"]}' },
    { id: 'why-this-', kind: 'sql', source: 'select 1', metadata: 'k="v"' },
  ]

  it('gives nbformat 4.5 with ids of its kind', () => {
    const written = JSON.parse(writeIpynb(cells, new Map([['top', []]])))
    expect(written).toMatchObject({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: { kernelspec: { language: 'typescript' } },
    })
    expect(written.cells).toEqual([
      {
        cell_type: 'code',
        id: 'top',
        metadata: { mixlab: { id: 'top' } },
        source: ['const a = 1\n', '\n', 'const b = 2'],
        execution_count: null,
        outputs: [],
      },
      {
        cell_type: 'markdown',
        id: 'why-this-',
        metadata: { tags: ['x'], mixlab: { id: 'why this?', metadata: '{"tags": ["x"]}' } },
        source: ['# Why'],
      },
      {
        cell_type: 'raw',
        id: 'why-this--2',
        metadata: { mixlab: { id: 'why-this-', kind: 'sql', metadata: 'k="v"' } },
        source: ['select 1'],
      },
    ])
  })

  it('is undone by reading, whatever the cells', () => {
    const sources = ['', 'a', 'a\n', '\n\nb', '`', '// x']
    const ids = ['a', 'b c', 'top', 'cell-3', 'ä', "it's"]
    for (let seed = 0; seed < 300; seed++) {
      const key = keyOf(seed, 'ipynb')
      let counter = 0
      const next = (below: number) => integer(key, counter++, below)
      const free = [...ids]
      const some = Array.from({ length: next(5) }, (): Cell => {
        const kind = (['code', 'markdown', 'sql', 'raw'] as const)[next(4)] ?? 'code'
        const metadata = ['', '{"k": [1]}', '{not json}', 'k="v"'][next(4)]
        const source = sources[next(sources.length)] ?? ''
        return { id: free.splice(next(free.length), 1)[0] ?? '', kind, source, ...(metadata ? { metadata } : {}) }
      })
      expect(readIpynb(writeIpynb(some)), `case ${seed}`).toEqual(some)
    }
  })
})

describe('reading', () => {
  it('takes the code of a TypeScript or JavaScript kernel for code, all other for text', () => {
    const code = { cell_type: 'code', source: ['const a = 1\n', '// %% b'], metadata: {}, outputs: [], id: '1f' }
    expect(readIpynb(notebook([code], 'TypeScript'))).toEqual([
      { id: 'cell-1', kind: 'code', source: 'const a = 1\n // %% b' },
    ])
    expect(readIpynb(notebook([code])).at(0)?.source).toBe('```python\nconst a = 1\n// %% b\n```')
  })

  it('knows magics, the language of a single cell, and code with fences of its own', () => {
    const cells = [
      { cell_type: 'code', source: '%%bash\nls' },
      { cell_type: 'code', source: 'print("```")', metadata: { vscode: { languageId: 'python' } } },
    ]
    const [magic, python] = readIpynb(notebook(cells, 'javascript'))
    expect(magic?.source).toBe('```\n%%bash\nls\n```')
    expect(python).toMatchObject({ kind: 'markdown', source: '````python\nprint("```")\n````' })
  })

  it('keeps names and metadata, and a raw cell as it is', () => {
    const cells = [
      { cell_type: 'raw', source: 'x', metadata: { name: 'intro', tags: ['a'] } },
      { cell_type: 'raw', source: 'y', metadata: { name: 'intro' } },
    ]
    expect(readIpynb(notebook(cells))).toEqual([
      { id: 'intro', kind: 'raw', source: 'x', metadata: '{"tags":["a"]}' },
      { id: 'intro-2', kind: 'raw', source: 'y' },
    ])
  })

  it('gives cells that the percent format can hold', () => {
    const sources = ['// %% a\n%%', '%% time', '// %% [md]']
    const cells = sources.flatMap((source) =>
      ['code', 'markdown', 'raw'].map((cell_type) => ({ cell_type, source, metadata: { tags: [source] } })),
    )
    const read = readIpynb(notebook(cells, 'typescript'))
    expect(parseNotebook(printNotebook(read))).toEqual(read)
  })

  it.each([
    ['{', 'ipynb: is not JSON'],
    ['[]', 'ipynb: is not a Jupyter notebook'],
    ['null', 'ipynb: is not a Jupyter notebook'],
    [notebook([{}]), 'ipynb: is not a Jupyter notebook'],
    [notebook([], 'python', 3), 'nbformat: version 3; only 4 is read'],
  ])('refuses %s', (text, message) => {
    expect(() => readIpynb(text)).toThrow(message)
  })
})
