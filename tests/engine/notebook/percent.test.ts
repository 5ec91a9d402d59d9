import { describe, expect, it } from 'vitest'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import { printNotebook } from '../../../engine/notebook/print.ts'
import type { Cell } from '../../../engine/notebook/types.ts'
import { integer, keyOf } from '../../../engine/random.ts'

const CASES = 2000

const LINES = [
  '',
  '',
  ' ',
  'const a = 1',
  '  b()',
  '// %',
  '//',
  '// text',
  '//%%x',
  ' // %% y',
  '%% z',
  '#!/bin/sh',
  '`',
]
const HEADERS = [
  '// %%',
  '//%% a',
  '// %% b ',
  '// %% cell-2',
  '// %% top',
  '//%%[md]',
  '// %% [sql] a',
  '// %%   a  b',
]
const ODD_HEADERS = [
  '// %%% a',
  '// %% a {"k": 1}',
  '// %% b [markdown] k="v"',
  '// %% [raw]',
  '// %% [x] a',
  '// %% [a]b',
]
const COMMENTS = ['//', '// text', '//tight', '//  two', '', ' // %% x', '// // %%', '// ', 'bare', '\uFEFF']
const LINE_ENDS = ['\n', '\n', '\n', '\r\n', '\r']
const IDS = ['top', 'cell-1', 'cell-2', 'cell-3', 'a', 'a-2', 'a b', '%%', "it's", '[sql]', 'x [md]', 'b']

/** The draws of one case: the next is a whole number below its argument. */
function draws(seed: number, name: string): (below: number) => number {
  const key = keyOf(seed, name)
  let counter = 0
  return (below) => integer(key, counter++, below)
}

function someOf(next: (below: number) => number, most: number, from: readonly string[]): string[] {
  return Array.from({ length: next(most) }, () => from[next(from.length)] ?? '')
}

function randomCells(next: (below: number) => number): Cell[] {
  const ids = [...IDS]
  return Array.from({ length: next(6) }, () => ({
    id: ids.splice(next(ids.length), 1)[0] ?? '',
    kind: (['code', 'code', 'markdown', 'sql', 'raw'] as const)[next(5)] ?? 'code',
    source: someOf(next, 5, LINES).join('\n'),
    ...(next(4) ? {} : { metadata: '{"k": [1]}' }),
  }))
}

/** Any text: lines that mean something to the format, in any order, with any line ends. */
function randomText(next: (below: number) => number): string {
  const one = next(3) ? LINE_ENDS[next(LINE_ENDS.length)] : undefined
  const lines = someOf(next, 12, [...LINES, ...HEADERS, ...HEADERS, ...ODD_HEADERS, ...COMMENTS])
  const text = lines.map((line) => line + (one ?? LINE_ENDS[next(LINE_ENDS.length)])).join('')
  return (next(4) ? '' : '\uFEFF') + (next(2) ? text : text.replace(/[\r\n]+$/, ''))
}

/** What users do to cells: write, rename, move, delete, add, change the kind. */
function randomEdits(cells: Cell[], next: (below: number) => number): Cell[] {
  const all = [...cells]
  for (let edits = next(4); edits > 0; edits--) {
    const at = next(all.length + 1)
    const cell = all[at]
    const id = IDS[next(IDS.length)] ?? ''
    const isFree = all.every((other) => other.id !== id)
    const what = next(5)
    if (!cell) {
      if (isFree) all.push({ id, kind: 'code', source: someOf(next, 4, LINES).join('\n') })
    } else if (what === 0) all[at] = { ...cell, source: someOf(next, 4, LINES).join('\n') }
    else if (what === 1 && isFree) all[at] = { ...cell, id }
    else if (what === 2) all.splice(next(all.length), 0, ...all.splice(at, 1))
    else if (what === 3) all.splice(at, 1)
    else all[at] = { ...cell, kind: cell.kind === 'code' ? 'markdown' : 'code', source: 'text' }
  }
  return all
}

function forEachCase(name: string, check: (next: (below: number) => number, seed: number) => void): void {
  for (let seed = 0; seed < CASES; seed++) check(draws(seed, name), seed)
}

describe('the percent format', () => {
  it('gives any text back to the byte', () => {
    forEachCase('text', (next, seed) => {
      const text = randomText(next)
      expect(printNotebook(parseNotebook(text), text), `case ${seed}: ${JSON.stringify(text)}`).toBe(text)
    })
  })

  it('gives any cells back, and their text again', () => {
    forEachCase('cells', (next, seed) => {
      const cells = randomCells(next)
      const text = printNotebook(cells)
      expect(parseNotebook(text), `case ${seed}: ${JSON.stringify(text)}`).toEqual(cells)
      expect(printNotebook(parseNotebook(text)), `case ${seed}`).toBe(text)
    })
  })

  it('gives any cells back when they are written over any text', () => {
    forEachCase('over', (next, seed) => {
      const before = randomText(next)
      const cells = next(2) ? randomEdits(parseNotebook(before), next) : randomCells(next)
      const text = printNotebook(cells, before)
      expect(parseNotebook(text), `case ${seed}: ${JSON.stringify([before, text])}`).toEqual(cells)
    })
  })

  it('leaves the text of the cells alone that are not edited', () => {
    forEachCase('one edit', (next, seed) => {
      const before = randomText(next)
      const cells = parseNotebook(before)
      const at = next(cells.length)
      const edited = cells.map((cell, index) => (index === at ? { ...cell, source: 'edited' } : cell))
      const back = printNotebook(cells, printNotebook(edited, before))
      expect(parseNotebook(back), `case ${seed}: ${JSON.stringify([before, back])}`).toEqual(cells)
      for (const line of before.split(/\r\n?|\n/).filter((each) => /^\/\/\s*%%+($|[\s[])/.test(each)))
        expect(printNotebook(edited, before), `case ${seed}`).toContain(line)
    })
  })
})
