import { expect, it } from 'vitest'
import { keepIds } from '../../../engine/notebook/keepIds.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'

/** A file from `1 2 b:3`: the text of each cell, after the name where it has one. */
function parse(text: string) {
  const lines = text.split(' ').filter(Boolean)
  return parseNotebook(lines.map((cell) => `// %% ${cell.replace(':', '\n').replace(/^(?=\d)/, '\n')}\n`).join('\n'))
}

function ids(before: string, after: string): string {
  return keepIds(parse(after), parse(before))
    .map(({ id }) => id)
    .join(' ')
}

it.each([
  ['1 2 3', '1 2 3', 'cell-1 cell-2 cell-3'],
  ['1 2 3', '0 1 2 3', 'cell-1-2 cell-1 cell-2 cell-3'],
  ['1 2 3', '2 3', 'cell-2 cell-3'],
  ['1 2 3', '3 1', 'cell-3 cell-1'],
  ['1 2 3', '1 9 3', 'cell-1 cell-2 cell-3'],
  ['1 2 3', '0 1 9 3', 'cell-1-2 cell-1 cell-2 cell-3'],
  ['1 b:2 3', 'b:2 1 3', 'b cell-1 cell-3'],
  ['1 b:2', '1 c:2', 'cell-1 c'],
  ['', '1 2', 'cell-1 cell-2'],
])('after %s, %s is %s', (before, after, expected) => {
  const found = ids(before, after)
  expect(new Set(found.split(' ')).size).toBe(after.split(' ').length)
  expect(found).toBe(expected)
})

it('leaves the text before the first header its id', () => {
  const before = parseNotebook('// Licence\n\n// %%\n1\n')
  expect(keepIds(parseNotebook('// Licence: MIT\n\n// %%\n1\n'), before).map(({ id }) => id)).toEqual(['top', 'cell-2'])
  expect(keepIds(parseNotebook('// Licence\n'), []).map(({ id }) => id)).toEqual(['top'])
})
