import { describe, expect, it } from 'vitest'
import { analyze, closureCode, dependenciesOf } from '../../../engine/notebook/graph.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'

const read = (text: string) => analyze(parseNotebook(text))
const factsOf = (text: string, id: string) => {
  const found = read(text).cells.find((cell) => cell.id === id)
  if (!found) throw new Error(`no cell ${id}`)
  return found
}
const errorsOf = (text: string) => Object.fromEntries(read(text).cells.map(({ id, error }) => [id, error]))

describe('dependencies', () => {
  const text = `// %% study
const s = compare(block)

// %% [markdown] note
// dim is free text

// %% block
export const block = (x) => dense(x, dim)

// %% setup
import { compare, dense } from 'mixlab'
const dim = 4
`

  it('follow names, whatever the order of the cells', () => {
    expect(factsOf(text, 'study')).toMatchObject({
      defines: ['s'],
      uses: ['compare', 'block'],
      dependsOn: ['block', 'setup'],
      error: null,
    })
    expect(factsOf(text, 'setup')).toMatchObject({ defines: ['compare', 'dense', 'dim'], dependsOn: [] })
    expect(read(text).order).toEqual(['setup', 'block', 'study'])
  })

  it('leave cells in the order of the notebook where they can', () => {
    expect(read('// %% c\n1\n// %% a\n2\n// %% b\nconst x = 1\n// %% d\nx').order).toEqual(['c', 'a', 'b', 'd'])
    expect(read('// %% a\nx\n// %% b\n1\n// %% c\nconst x = 1').order).toEqual(['c', 'a', 'b'])
  })

  it('are found through other cells', () => {
    const facts = read('// %% a\nconst a = 1\n// %% b\nconst b = a\n// %% c\nb\n// %% d\n1')
    expect([...dependenciesOf(facts, 'c')]).toEqual(['b', 'a'])
    expect([...dependenciesOf(facts, 'a')]).toEqual([])
  })

  it('see no name inside a function, a type or a comment', () => {
    expect(factsOf('// %% a\nconst x = 1; type T = 1\n// %% b\nlet f = (x: T) => x // x', 'b').dependsOn).toEqual([])
  })
})

describe('closureCode', () => {
  it('is a notebook of the cell and all it depends on', () => {
    const text = '// %% c\nb // types: string\n\n// %% x\n0\n\n// %%\nconst a: number = 1\n\n// %% b\nconst b = a\n'
    const cells = parseNotebook(text)
    expect(closureCode(cells, analyze(cells), 'c')).toBe(
      '// %% cell-3\nconst a: number = 1\n\n// %% b\nconst b = a\n\n// %% c\nb // types: string\n',
    )
  })
})

describe('fingerprint', () => {
  const of = (source: string) => factsOf(`// %% a\n${source}`, 'a').fingerprint

  it('is a SHA-256', () => {
    expect(of('1')).toMatch(/^[0-9a-f]{64}$/)
  })

  it('ignores comments, white space, types and semicolons that the language inserts', () => {
    const plain = of('const f = (a) => { return a + 1 }\nf(2)')
    expect(of('// why\nconst f = (a: number): number => {\n  return a + 1; /* sum */\n};\n\nf(2);')).toBe(plain)
    expect(of('type T = 1\nconst f = (a) => { return (a + 1) }\nf(2)')).not.toBe(plain)
  })

  it('changes with every other token', () => {
    const all = ['a + 1', 'a - 1', 'b + 1', 'a + 2', 'a + 1n', "a + '1'", 'a + `1`', 'a + ` 1`', 'a + 11', 'a(1)', '']
    expect(new Set(all.map(of)).size).toBe(all.length)
  })

  it('changes with a line break that ends a statement', () => {
    expect(of('() => { return\n1 }')).not.toBe(of('() => { return 1 }'))
  })

  it('changes with what the cell depends on, however far, and with nothing else', () => {
    const last = (a: string, x: string) =>
      factsOf(`// %% a\nconst a = ${a}\n// %% x\nconst x = ${x}\n// %% b\nconst b = a\n// %% c\nb`, 'c').fingerprint
    expect(last('1', '1')).toBe(last('1', '2'))
    expect(last('1', '1')).toBe(last('1 // one', '1'))
    expect(last('1', '1')).not.toBe(last('2', '1'))
  })

  it('does not depend on the names and places of cells', () => {
    const cells = ['// %% a\nconst a = 1\n', '// %% b\nconst b = 2\n', '// %% c\na + b\n']
    const moved = cells.toReversed().join('').replace('// %% a', '// %% other')
    expect(factsOf(moved, 'c').fingerprint).toBe(factsOf(cells.join(''), 'c').fingerprint)
  })

  it('exists for a cell with a syntax error too', () => {
    expect(of('const a = (')).not.toBe(of('const a = ['))
  })
})

describe('mistakes', () => {
  it('names both cells of a name that is defined twice', () => {
    expect(errorsOf('// %% a\nconst x = 1\n// %% b\nfunction x() {}\n// %% c\nx')).toEqual({
      a: "'x' is defined in cells a and b",
      b: "'x' is defined in cells a and b",
      c: null,
    })
    expect(errorsOf('// %% a\nlet x\n// %% b\nvar x\n// %% c\nclass x {}')).toMatchObject({
      c: "'x' is defined in cells a, b and c",
    })
  })

  it('allows the same import in several cells, and depends on the first', () => {
    const text = "// %% a\nimport { x } from 'm'\n// %% b\nimport { x } from 'm'\nconst y = x\n// %% c\nx"
    expect(errorsOf(text)).toEqual({ a: null, b: null, c: null })
    expect(factsOf(text, 'b').dependsOn).toEqual([])
    expect(factsOf(text, 'c').dependsOn).toEqual(['a'])
  })

  it('refuses one name for two imports', () => {
    const error = "'x' is defined in cells a and b"
    expect(errorsOf("// %% a\nimport { x } from 'm'\n// %% b\nimport { x } from 'n'")).toEqual({ a: error, b: error })
    expect(errorsOf("// %% a\nimport { x } from 'm'\n// %% b\nimport { y as x } from 'm'")).toEqual({
      a: error,
      b: error,
    })
    expect(errorsOf("// %% a\nimport x from 'm'\n// %% b\nimport * as x from 'm'")).toEqual({ a: error, b: error })
  })

  it('tells a cycle by its names, and not to the cells that depend on it', () => {
    const error = "cells depend on each other: a uses 'c' of c, c uses 'b' of b, b uses 'a' of a"
    const text = '// %% a\nconst a = c\n// %% b\nconst b = a\n// %% c\nconst c = b\n// %% d\na'
    expect(errorsOf(text)).toEqual({ a: error, b: error, c: error, d: null })
    expect(read(text).order.toSorted()).toEqual(['a', 'b', 'c', 'd'])
    expect(read(text).order.at(-1)).toBe('d')
  })

  it('tells the line of a syntax error, and keeps those who use the cell waiting for it', () => {
    const text = '// %% a\nexport const x = 1\nconst y = )\n// %% b\nx'
    expect(errorsOf(text)).toEqual({ a: "a:2: unexpected ')'", b: null })
    expect(factsOf(text, 'b').dependsOn).toEqual(['a'])
    expect(read(text).order).toEqual(['a', 'b'])
  })
})
