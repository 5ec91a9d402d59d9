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
    ['{', 'ipynb: is not JSON: it breaks off in line 1'],
    ['', 'ipynb: the file is empty'],
    ['{"cells": [{"source": "a', 'ipynb: is not JSON: it breaks off in line 1'],
    [
      '{"nbformat": 4,\n "cells": [\n  {"cell_type": "code", "source": "a,]"},\n ]}',
      'line 3, column 41 is a comma with nothing behind it',
    ],
    ['{"nbformat": 4,\n "cells" []}', 'is not JSON: the fault is at line 2, column 10'],
    ['<!DOCTYPE html>\n<p>', 'ipynb: is a web page, not a notebook; download the file itself'],
    ['version https://git-lfs.github.com/spec/v1\noid', "is a pointer of Git LFS, not the file; run 'git lfs pull'"],
    ['{\n<<<<<<< HEAD\n "cells": []', 'line 2, column 1 is a conflict mark of git; resolve the conflict first'],
    ['[]', 'ipynb: is not a Jupyter notebook: it is no JSON object'],
    ['null', 'ipynb: is not a Jupyter notebook: it is no JSON object'],
    ['{"cells": {}}', "ipynb: is not a Jupyter notebook: it has no list 'cells'"],
    [notebook([{ source: 'a' }, null as never]), 'cell 2: is not an object'],
    [notebook([{ source: ['a', 1] }]), "cell 1: 'source' is neither a text nor a list of texts"],
    [notebook([], 'python', 3), 'nbformat: version 3; only 4 is read, save it in Jupyter again'],
    ['{"worksheets": [{"cells": []}], "metadata": {}}', 'nbformat: version 3; only 4 is read'],
  ])('refuses %s', (text, message) => {
    expect(() => readIpynb(text)).toThrow(message)
  })
})

/** What reading gives, with the sentences that it says. */
function said(text: string): { cells: Cell[]; notes: string[] } {
  const notes: string[] = []
  return { cells: readIpynb(text, (note) => notes.push(note)), notes }
}

describe('notebooks as other programs write them', () => {
  const PNG = 'iVBORw0KGgo='
  const code = { cell_type: 'code', source: 'const a = 1' }

  it.each([
    ['metadata of the notebook that are null', { metadata: null }],
    ['metadata that are a list', { metadata: [] }],
    ['a kernel that is null', { metadata: { kernelspec: null, language_info: null } }],
    ['a kernel that is a text', { metadata: { kernelspec: 'deno', language_info: 7 } }],
    ['no metadata', {}],
    ['a kernel known by its name', { metadata: { kernelspec: { name: 'tslab', language: 5 } } }],
    ['an nbformat that is none', { nbformat: { toString: 1 } }],
    ['no nbformat', { nbformat: undefined, nbformat_minor: undefined }],
    ['an nbformat that is a text', { nbformat: '4' }],
  ])('are read with %s', (_, given) => {
    expect(readIpynb(JSON.stringify({ nbformat: 4, cells: [code], ...given }))).toEqual([
      { id: 'cell-1', kind: 'code', source: 'const a = 1' },
    ])
  })

  it.each([
    ['metadata that are null', { metadata: null }],
    ['metadata that are a list', { metadata: ['x'] }],
    ['outputs that are null', { outputs: null, execution_count: '3', id: null }],
    ['outputs of any kind', { outputs: {}, execution_count: [], id: 5 }],
    ['attachments that are null', { attachments: null }],
    ['our metadata of any kind', { metadata: { mixlab: 'x', name: 4, vscode: 'y' } }],
  ])('are read with cells that have %s', (_, given) => {
    const [cell] = readIpynb(notebook([{ ...code, ...given }], 'typescript'))
    expect(cell).toMatchObject({ id: 'cell-1', kind: 'code', source: 'const a = 1' })
  })

  it('may have tags of any kind, sources that are missing, and ids twice', () => {
    const cells = [
      { cell_type: 'markdown', source: null, metadata: { tags: 'draft' }, id: 'x' },
      { cell_type: 'markdown', id: 'x' },
    ]
    const read = readIpynb(notebook(cells))
    expect(read).toEqual([
      { id: 'cell-1', kind: 'markdown', source: '', metadata: '{"tags":"draft"}' },
      { id: 'cell-2', kind: 'markdown', source: '' },
    ])
    expect(readIpynb(writeIpynb(read))).toEqual(read)
  })

  it('may hold the numbers of Python that JSON has not, and a byte order mark', () => {
    const text = `\uFEFF{"cells": [{"cell_type": "raw", "source": "NaN \\" NaN", "metadata": {"x": NaN, "y": -Infinity}}]}`
    expect(readIpynb(text)).toEqual([
      { id: 'cell-1', kind: 'raw', source: 'NaN " NaN', metadata: '{"x":null,"y":null}' },
    ])
  })

  it('have their attachments as data URLs, also over Jupyter and back', () => {
    const cells = [
      {
        cell_type: 'markdown',
        source: '![a](attachment:a.png) <img src="attachment:my%20b.png"> ![c](attachment:a.png.svg)',
        attachments: {
          'a.png': { 'image/png': [`${PNG}\n`] },
          'my b.png': { 'text/plain': 'b', 'image/jpeg': PNG },
          'a.png.svg': { 'image/svg+xml': "<svg (1) 'x'/>" },
          'not shown.gif': { 'image/gif': PNG },
        },
      },
      { cell_type: 'markdown', source: '', attachments: { 'broken.png': null, 'no.bin': { x: {} } } },
      { cell_type: 'raw', source: 'raw', attachments: { 'r.png': { 'image/png': PNG } } },
      {
        cell_type: 'markdown',
        source: '![d](attachment:gone.png) ![e](attachment:no%20bin)',
        attachments: { 'no bin': 0 },
      },
    ]
    const { cells: read, notes } = said(notebook(cells))
    expect(read[0]?.source).toBe(
      `![a](data:image/png;base64,${PNG}) <img src="data:image/jpeg;base64,${PNG}"> ` +
        `![c](data:image/svg+xml,%3Csvg%20%281%29%20%27x%27%2F%3E)\n\n![not shown.gif](data:image/gif;base64,${PNG})`,
    )
    expect(notes).toEqual([
      "The attachment 'broken.png' of cell 2 was left out.",
      "The attachment 'no.bin' of cell 2 was left out.",
      "The attachment 'r.png' of cell 3 was left out.",
      "The attachment 'no bin' of cell 4 was left out.",
      "Cell 4 shows the attachment 'gone.png', which it does not have.",
    ])
    expect(readIpynb(writeIpynb(read))).toEqual(read)
    expect(parseNotebook(printNotebook(read))).toEqual(read)
  })

  it('say what is left out or becomes another thing', () => {
    const cells = [
      { cell_type: 'code', source: 'x <- 1', outputs: [{}] },
      { cell_type: 'code', source: '%%bash\nls' },
      { cell_type: 'heading', source: 'Title', level: 2 },
      { cell_type: 'diagram', source: 'a -> b' },
      { source: 'c' },
    ]
    const text = { nbformat: 4, metadata: { kernelspec: { name: 'ir' }, widgets: { big: 'x' }, colab: 1 }, cells }
    const { cells: read, notes } = said(JSON.stringify(text))
    expect(read.map(({ kind, source }) => `${kind}: ${source}`)).toEqual([
      'markdown: ```r\nx <- 1\n```',
      'markdown: ```\n%%bash\nls\n```',
      'markdown: ## Title',
      'raw: a -> b',
      'raw: c',
    ])
    expect(notes).toEqual([
      "Cell 3 became text: it is of the type 'heading'.",
      "Cell 4 became text: it is of the type 'diagram'.",
      'Cell 5 became text: it has no type.',
      "1 cell of code in 'r' became text: Mixlab runs TypeScript.",
      "1 cell of code in 'magic commands' became text: Mixlab runs TypeScript.",
      'The outputs of 1 cell were left out.',
      "Metadata of the notebook were left out: 'widgets', 'colab'.",
    ])
  })

  it.each([
    ['const a = 1', 'code'],
    ['console.log(1)', 'code'],
    ["import { block } from 'mixlab'\nblock('a', (x) => x)", 'code'],
    ['import numpy as np\nprint(np.pi)', 'markdown'],
    ['# a comment\nx = 1', 'markdown'],
    ['for i in range(3):\n  print(i)', 'markdown'],
    ['f <- function(x) x', 'markdown'],
    ['print(1)', 'markdown'],
  ])('without a language are told by their code: %s', (source, kind) => {
    const { cells, notes } = said(JSON.stringify({ cells: [{ cell_type: 'code', source }] }))
    expect(cells[0]?.kind).toBe(kind)
    expect(notes[0]).toBe(
      kind === 'code'
        ? 'The notebook names no language; its code was taken for TypeScript.'
        : 'The notebook names no language; its code does not look like TypeScript.',
    )
  })

  it('of which most is what widgets keep are read all the same', () => {
    const state = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`w${at}`, { state: 'x'.repeat(1_000) }]))
    const text = JSON.stringify({ nbformat: 4, metadata: { widgets: { state } }, cells: [code] })
    expect(readIpynb(text)).toHaveLength(1)
  })
})
