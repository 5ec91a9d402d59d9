import { expect, it } from 'vitest'
import { functionBody } from '../../../engine/notebook/body.ts'
import { namesOf } from '../../../engine/notebook/names.ts'
import { transpile } from '../../../engine/notebook/transpile.ts'

function bodyOf(source: string, bound: string[] = []): string[] {
  const transpiled = transpile(source, 'a')
  return functionBody(transpiled, namesOf(transpiled.program), bound, 'mixlab:cell/a').text.split('\n')
}

it('keeps each line in its place, and the statements apart', () => {
  expect(bodyOf("export const a = b\nimport {\n  c,\n} from 'm'\n[a, c] // both", ['b', 'c'])).toEqual([
    "'use strict'; const { b, c } = __cell.names; const a = b",
    ';',
    '',
    '',
    '__cell.value = ([a, c]) // both',
    ';__cell.defined = { a }',
    '//# sourceURL=mixlab:cell/a',
  ])
})

it('puts the value in brackets, without the semicolon', () => {
  expect(bodyOf('a, b;')[0]).toBe("'use strict'; const {  } = __cell.names; __cell.value = (a, b);")
})

it('turns import() into a call, at the start of the value too', () => {
  expect(bodyOf("import('m')")[0]).toContain("__cell.value = (__cell.load('m'))")
})
