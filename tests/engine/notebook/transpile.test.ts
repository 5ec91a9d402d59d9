import { describe, expect, it } from 'vitest'
import { transpile } from '../../../engine/notebook/transpile.ts'

const codeOf = (source: string) => transpile(source, 'a').code
const tokensOf = (source: string) => transpile(source, 'a').tokens.join(' ')

describe('types', () => {
  it('vanish, line for line', () => {
    const source =
      'interface A {\n  b: string\n}\nconst a: number = (1 as number)!\ntype B = A\nlet b = {} satisfies object'
    const lines = codeOf(source).split('\n')
    expect(lines).toHaveLength(6)
    expect(tokensOf(source)).toBe('const a = ( 1 ) ; let b = { } ;')
    expect(lines[3]).toContain('const a')
    expect(lines[5]).toContain('let b')
  })

  it('vanish from imports where they are marked, and unused imports stay', () => {
    expect(tokensOf("import type { A } from 'x'\nimport {\n  type B,\n  c,\n} from 'y'")).toBe(
      "import { c , } from 'y' ;",
    )
  })

  it('vanish with enums and parameter properties made plain', () => {
    expect(codeOf('enum E { A }')).toContain('var E')
    expect(codeOf('class P { constructor(private x: number) {} }')).toContain('this.x = x')
  })

  it('leave today’s syntax as it is', () => {
    const source = 'class A { #b = 1; static { a?.b ?? 1_000 } }\nawait c'
    expect(codeOf(source)).toBe(source)
  })
})

it('turns a shebang into a comment', () => {
  expect(codeOf('#!/usr/bin/env mixlab\n1')).toBe('///usr/bin/env mixlab\n1')
})

describe('mistakes', () => {
  const cases: [string, string][] = [
    ['const a = 1\nconst b = )', "a:2: unexpected ')'"],
    ['foo(1 2)', "a:1: unexpected '2', expected ','"],
    ['const a = (\n', 'a:2: unexpected end of cell'],
    ['if (a {\n}', "a:1: unexpected '{', expected ')'"],
    ['const a = 1\n\nconst b = "x\nc()', 'a:3: unterminated string constant'],
    ['let x = 1\nlet x = 2', "a:2: identifier 'x' has already been declared"],
    ['return 1', "a:1: 'return' outside of function"],
    ['\n@dec class A {}', "a:2: unexpected character '@'"],
    ['export default 1', "a:1: only definitions are exported, as in 'export const name = ...'"],
    ["1\nexport * from 'x'", "a:2: only definitions are exported, as in 'export const name = ...'"],
    ["export { a } from 'x'", "a:1: only definitions are exported, as in 'export const name = ...'"],
    ['const a = 1\nexport { a as b }', "a:2: only definitions are exported, as in 'export const name = ...'"],
  ]
  for (const [source, message] of cases) {
    it(message, () => {
      const path = message.slice(0, message.indexOf(':', 2))
      expect(() => transpile(source, 'a')).toThrow(expect.objectContaining({ code: 'notebook', path, message }))
    })
  }
})
