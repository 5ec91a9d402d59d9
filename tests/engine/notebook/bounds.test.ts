import { describe, expect, it } from 'vitest'
import { BOUNDS } from '../../../engine/notebook/bounds.ts'
import { analyze } from '../../../engine/notebook/graph.ts'
import { mergeNotebooks } from '../../../engine/notebook/merge.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import { printNotebook } from '../../../engine/notebook/print.ts'
import { transpile } from '../../../engine/notebook/transpile.ts'
import { LONG } from '../../long.ts'
import { fuzzedNotebook, openAnalysed } from './fuzz.ts'

const errorsOf = (text: string) => analyze(parseNotebook(text)).cells.map(({ error }) => error)
const DEEP = 'this cell is too long or too deeply nested to be analysed'

describe('a cell beyond the bounds has an error, and the others are analysed', () => {
  const bombs: Record<string, string> = {
    'type parameters in type parameters': '<T>(a = '.repeat(28),
    'arrows in arrows': `${'(a = '.repeat(28)}1${') => 1'.repeat(28)}`,
    'calls with type arguments in each other': 'a<b>('.repeat(300),
    'brackets in brackets': '['.repeat(20_000) + ']'.repeat(20_000),
    'a long sum': `${'1 + '.repeat(2 * BOUNDS.depth)}1`,
    'blocks in blocks': `${'{'.repeat(BOUNDS.scopes + 1)}a${'}'.repeat(BOUNDS.scopes + 1)}`,
    'a long text': 'a;\n'.repeat(BOUNDS.cellReads),
    'enumerations, which are much longer in JavaScript': 'enum A { a, b, c }\n'.repeat(5_000),
  }
  it.each(Object.entries(bombs))('%s', (_, source) => {
    expect(errorsOf(`// %% bomb\n${source}\n// %% after\nconst after = 1`)).toEqual([`bomb: ${DEEP}`, null])
  })

  it('says what it can of code on which the parser fails', () => {
    expect(() => transpile('a<{(x = class{', 'c')).toThrow('c')
  })

  it('takes what people write', () => {
    const nested = `${'f('.repeat(100)}${')'.repeat(100)}`
    const arrows = `${'(a: number) => '.repeat(40)}a`
    const sum = `'a'${" +\n'b'".repeat(500)}`
    const names = `const { ${Array.from({ length: 5_000 }, (_, i) => `name${i}`).join(', ')} } = all`
    expect(errorsOf([nested, arrows, sum, names].map((code) => `// %%\n${code}\n`).join(''))).toEqual([
      ...Array(4).fill(null),
    ])
  })
})

describe('a notebook beyond the bounds', () => {
  const many = '// %% same\nconst same = 1\n'.repeat(20_000)

  it('has its first cells analysed', () => {
    const errors = errorsOf(many)
    expect(errors[0]).toMatch(/^'same' is defined in cells same, same-2, .*, \.\.\. and same-20000$/)
    expect(errors[0]?.length).toBeLessThan(200)
    expect(errors[BOUNDS.cells]).toContain(`the first ${BOUNDS.cells} code cells`)
  })

  it('is saved as it is, and merged', () => {
    const cells = parseNotebook(many)
    expect(new Set(cells.map(({ id }) => id)).size).toBe(20_000)
    expect(printNotebook(cells, many)).toBe(many)
    expect(mergeNotebooks(cells, cells.slice(1), cells.toReversed()).cells).toHaveLength(19_999)
  })

  it('has cells that come too late analysed once there is room', () => {
    const cells = parseNotebook('// %%\n1\n'.repeat(BOUNDS.cells + 1))
    expect(analyze(cells).cells.at(-1)?.error).not.toBeNull()
    expect(analyze(cells.slice(1)).cells.at(-1)?.error).toBeNull()
  })

  it('is read up to so many characters in all, whatever was read before', () => {
    const cells = parseNotebook(`// %%\n${'a;\n'.repeat(50_000)}\n`.repeat(8))
    const errors = analyze(cells).cells.map(({ error }) => error !== null)
    expect(errors).toEqual([false, false, false, ...Array(5).fill(true)])
    expect(analyze(cells).cells.map(({ error }) => error !== null)).toEqual(errors)
  })
})

describe('chains and circles', () => {
  it('follows a chain through all cells', () => {
    const text = Array.from({ length: BOUNDS.cells }, (_, i) => `// %% c${i}\nconst a${i} = a${i + 1}\n`).join('')
    const { order } = analyze(parseNotebook(text))
    expect([order[0], order.at(-1)]).toEqual([`c${BOUNDS.cells - 1}`, 'c0'])
  })

  it('names the first cells of a circle', () => {
    const text = Array.from({ length: 1_000 }, (_, i) => `// %% c${i}\nconst a${i} = a${(i + 1) % 1_000}\n`).join('')
    const errors = errorsOf(text)
    expect(new Set(errors).size).toBe(1)
    expect(errors[0]).toMatch(/^cells depend on each other: c0 uses 'a1' of c1, .*, \.\.\.$/)
  })
})

it('opens notebooks that nobody would write', () => {
  for (let number = 0; number < (LONG ? 300 : 20); number++) openAnalysed(fuzzedNotebook(number))
})
