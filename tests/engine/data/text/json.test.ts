import { utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { offsetIn, parseJson } from '../../../../engine/data/text/json.ts'

const parse = (text: string) => parseJson(utf8ToBytes(text), 'f')

const long = 'word '.repeat(100_000)

describe('parseJson', () => {
  it('gives the value', () => {
    expect(parse(' {"a": [1, "\\u00e9", null]} ')).toEqual({ a: [1, 'é', null] })
  })

  it.each([
    ['', 0],
    ['  ', 2],
    ['{"a": [1, 2', 11],
    ['{"a": "caf', 10],
    ['{"é": "\\', 8],
    ['{"é": "\\u00', 8],
    ['{"a": tru', 6],
    [`{"a": "${long}`, long.length + 7],
  ])('says where %j ends too early', (text, offset) => {
    expect(() => parse(text)).toThrow(`f: offset ${offset}: the file ends within its JSON, truncated`)
  })

  it.each([
    ['{"a": nothing}', "offset 6: 'nothing}'"],
    ['["é", 01]', "offset 8: '1]'"],
    ['\ufeff[1 2]', "offset 6: '2]'"],
    ["{'a': 1}", "offset 1: ''a': 1}'"],
    ['{"a" 1}', "offset 5: '1}'"],
    ['["a\nb"]', "offset 3: '\\nb\"]'"],
    ['["\\x"]', "offset 2: '\\x\"]'"],
    ['{} {}', "offset 3: '{}'"],
    ['{"a": 1} // and no more than twenty', "offset 9: '// and no more than '"],
  ])('says where %j goes wrong', (text, message) => {
    expect(() => parse(text)).toThrow(`f: ${message} is not JSON`)
  })
})

it('does not run out of stack', () => {
  expect(() => parse('['.repeat(1e5))).toThrow("f: offset 1001: '[[[[[[[[[[[[[[[[[[[[' is not JSON")
})

describe('offsetIn', () => {
  const text = '{"é": 1, "list": [10, {"a": "b", "c": [ 7 ]}]}'
  const bytes = (part: string) => utf8ToBytes(text.slice(0, text.indexOf(part))).length

  it.each([
    [[], bytes('{')],
    [['list'], bytes('[10')],
    [['list', '0'], bytes('10')],
    [['list', '1', 'c', '0'], bytes('7')],
  ])('finds %j', (steps, offset) => {
    expect(offsetIn(utf8ToBytes(text), steps, 'f')).toBe(offset)
  })
  it.each([
    [['list', '1', 'd'], bytes('{"a"')],
    [['list', '2'], bytes('[10')],
    [['none', 'c'], 0],
  ])('finds what holds %j, which is not there', (steps, offset) => {
    expect(offsetIn(utf8ToBytes(text), steps, 'f')).toBe(offset)
  })
})
