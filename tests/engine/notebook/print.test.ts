import { describe, expect, it } from 'vitest'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import { printNotebook } from '../../../engine/notebook/print.ts'
import type { Cell } from '../../../engine/notebook/types.ts'

const code = (id: string, source: string): Cell => ({ id, kind: 'code', source })

/** Whole numbers below `n`, the same for the same seed (mulberry32). */
function seeded(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % n
  }
}

const LINES = [
  '',
  '',
  ' ',
  'const a = 1',
  '  b()',
  '// %',
  '//',
  '// text',
  '//%% x',
  ' // %% y',
  '%% z',
  '#!/bin/sh',
  '`',
]
const HEADERS = [
  '// %%',
  '// %% a',
  '// %% b',
  '// %% cell-2',
  '// %% top',
  '// %% [md]',
  '// %% [sql] a',
  '// %%   a  b ',
]
const COMMENTS = ['//', '// text', '//tight', '//  two', '', '//%% x', '// // %%', '// ']

function randomCells(next: (n: number) => number): Cell[] {
  const ids = ['top', 'cell-1', 'cell-2', 'cell-3', 'a', 'a-2', 'a b', '%%', "it's"]
  return Array.from({ length: next(5) }, () => ({
    id: ids.splice(next(ids.length), 1)[0] ?? '',
    kind: (['code', 'markdown', 'sql'] as const)[next(3)] ?? 'code',
    source: Array.from({ length: next(5) }, () => LINES[next(LINES.length)]).join('\n'),
  }))
}

function randomText(next: (n: number) => number): string {
  const lines: (string | undefined)[] = Array.from({ length: next(3) }, () => LINES[next(LINES.length)])
  for (let cell = next(5); cell > 0; cell--) {
    const header = HEADERS[next(HEADERS.length)]
    const body = header?.includes('[') ? COMMENTS : LINES
    lines.push(header, ...Array.from({ length: next(4) }, () => body[next(body.length)]))
  }
  return lines.join(next(4) ? '\n' : '\r\n') + (next(2) ? '\n' : '')
}

describe('format', () => {
  it('puts one blank line between cells and hides ids that come from the place', () => {
    const cells: Cell[] = [
      code('top', '// Licence: MIT'),
      { id: 'why', kind: 'markdown', source: '# Why\n\n%% note' },
      code('cell-3', 'const a = 1'),
      { id: 'cell-9', kind: 'sql', source: 'select 1' },
    ]
    const markdown = '// %% [markdown] why\n// # Why\n//\n//%% note\n'
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

describe('round trip', () => {
  it('of any cells gives the same cells, and their text again', () => {
    for (let seed = 0; seed < 3000; seed++) {
      const cells = randomCells(seeded(seed))
      const text = printNotebook(cells)
      expect(parseNotebook(text), `seed ${seed}`).toEqual(cells)
      expect(printNotebook(parseNotebook(text)), `seed ${seed}`).toBe(text)
    }
  })

  it('of any text gives the same cells', () => {
    for (let seed = 0; seed < 3000; seed++) {
      const cells = parseNotebook(randomText(seeded(seed)))
      expect(parseNotebook(printNotebook(cells)), `seed ${seed}`).toEqual(cells)
      expect(new Set(cells.map(({ id }) => id)).size, `seed ${seed}`).toBe(cells.length)
    }
  })
})

describe('mistakes', () => {
  it('refuses code with a line that would start a cell', () => {
    expect(() => printNotebook([code('a', 'const t = `\n// %% b\n`')])).toThrow(
      "a:2: a line that starts with '// %%' would start a new cell",
    )
  })

  it('refuses two cells with one id', () => {
    expect(() => printNotebook([code('a', ''), code('a', '')])).toThrow('a: two cells have this id')
  })

  it('refuses ids that a header cannot hold', () => {
    for (const id of ['a\nb', ' a', '[sql]', 'a[0]']) {
      expect(() => printNotebook([code(id, '')])).toThrow('a cell name is one line without brackets')
    }
    expect(() => printNotebook([code('', '')])).toThrow('cell 1: its id is empty')
  })
})
