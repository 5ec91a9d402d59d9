import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { analyze } from '../../../engine/notebook/graph.ts'
import { keepIds } from '../../../engine/notebook/keepIds.ts'
import { mergeNotebooks } from '../../../engine/notebook/merge.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import { printNotebook } from '../../../engine/notebook/print.ts'
import { integer, keyOf } from '../../../engine/random.ts'
import { designsIn } from '../../../engine/study/source/designs.ts'

const experiments = join(import.meta.dirname, '../../../experiments')
const samples = readdirSync(experiments)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(experiments, name), 'utf8'))

/** What parsers fall over where it stands many times. */
const FRAGMENTS = [
  ...[
    '<T>(a = ',
    'async (a = ',
    '(a = ',
    'a<b>(',
    'f<',
    '(a) : (',
    'a ? (b = ',
    '[',
    ']',
    '{',
    '}',
    '(',
    ')',
    '({',
    '[{',
  ],
  ...[
    '`${',
    '`',
    "'",
    '"',
    '/',
    '/*',
    '*/',
    '//',
    '\\u{',
    '/(?<a',
    '=>',
    'x=>',
    '...',
    '?.',
    '!',
    '-',
    'a.',
    '1+',
    '#a',
  ],
  ...['class A{', 'function* f(){', 'if(a)', 'for(;;)', 'a:', 'switch(a){case 1:', 'try{', 'new ', 'await ', 'yield '],
  ...[
    'type A=',
    'A extends infer U ? ',
    'enum A{a}\n',
    'namespace A{',
    'declare ',
    '@a ',
    ' as b',
    ' satisfies b',
    'is ',
  ],
  ...["import {a} from 'm'\n", 'export ', 'const a = 1\n', "compare('s', {", 'variants: {', 'seeds: ', 'let a,', 'v,'],
  ...['\n// %% a\n', '\n// %% [markdown]\n', '\n// %% [sql]\n', '\n// %% a {"a": ', '\n// %% [', ' {', 'a="'],
  ...[
    '// # ',
    '// - ',
    '// > ',
    '// | a ',
    '// $$',
    '$x^',
    '\\frac{',
    '**',
    '_',
    '[a](',
    '![',
    '<a href=',
    '|',
    '~~~\n',
  ],
  ...['\0', '\r', '\r\n', '\u2028', '\ufeff', '\ud800', '\u{1f9e0}', ' ', '\t', '\n'],
]

/** A notebook that nobody would write: a ready one, or nothing, with parts repeated, moved and lost. `number` decides all. */
export function fuzzedNotebook(number: number): string {
  const key = keyOf(number, 'fuzzed notebook')
  let at = 0
  const draw = (below: number) => integer(key, at++, Math.max(1, below))
  const pick = <T>(all: readonly T[]) => all[draw(all.length)] as T
  let text = draw(3) === 0 ? '' : pick(samples)
  for (let left = 1 + draw(6); left > 0; left--) {
    const place = draw(text.length + 1)
    const end = Math.min(text.length, place + draw(2 ** draw(10)))
    const part =
      draw(3) === 0 ? text.slice(place, end) : Array.from({ length: 1 + draw(3) }, () => pick(FRAGMENTS)).join('')
    const times = Math.min(2 ** draw(16), Math.ceil(300_000 / (part.length + 1)))
    const kind = draw(4)
    text = text.slice(0, place) + (kind === 0 ? '' : part.repeat(draw(times))) + text.slice(kind < 2 ? end : place)
  }
  return text.slice(0, 1_000_000)
}

/** Does with a notebook all that is done with its text alone. Throws where it would not open, or be saved as it is. */
export function openAnalysed(text: string): void {
  const cells = parseNotebook(text)
  const facts = analyze(cells)
  if (facts.order.length !== facts.cells.length) throw new Error('a cell has no place in the order')
  if (printNotebook(cells, text) !== text) throw new Error('it is not saved as it is')
  const changed = cells.map((cell, index) => (index % 3 === 0 ? { ...cell, source: `${cell.source} ` } : cell))
  keepIds(changed.toReversed(), mergeNotebooks(cells, changed, cells.toReversed()).cells)
  for (const { id, kind, source } of cells.slice(0, 20)) if (kind === 'code') designsIn(source, id)
}
