import { describe, expect, it } from 'vitest'
import { parseXyz } from '../../../../engine/data/points/xyz-file.ts'

const parse = (text: string) => parseXyz(new TextEncoder().encode(text), 'scan.xyz')

describe('parseXyz', () => {
  it.each([
    ['points', '0 1 2\n3 4 5\n'],
    ['points with normals', '0 1 2 0 0 1\n3 4 5 0.6 0.8 0\n'],
    ['comments, empty lines and no last line end', '# x y z\n\n0 1 2\n\n3 4 5 # last'],
    ['tabs, indents and the line ends of Windows', '  0\t1 2\r\n3  4 5\r\n'],
    ['a byte order mark', '\uFEFF0 1 2\n3 4 5\n'],
  ])('reads %s', (_, text) => {
    expect(parse(text)).toEqual([0, 1, 2, 3, 4, 5])
  })

  it.each([
    ['an empty file', '', 'empty file'],
    ['a file without points', '# nothing\n\n', 'no points'],
    ['a line that is cut off', '0 1 2\n3 4', 'line 2: too short, expected a point as x y z'],
    ['commas', '0,1,2\n', "line 1: '0,1,2', expected a point as x y z"],
    ['the atoms of a molecule', '3\nwater\nO 0 0 0\n', 'line 1: too short, expected a point as x y z'],
    ['a column of names', 'O 0 0 0\n', "line 1: 'O', expected a point as x y z"],
    ['NaN', '# x y z\n0 1 nan\n', "line 2: 'nan', expected a point as x y z"],
    ['binary', '\u0000\u0001\u0002\n', "line 1: '\u0000\u0001\u0002', expected a point as x y z"],
  ])('refuses %s', (_, text, message) => {
    expect(() => parse(text)).toThrow(`scan.xyz: ${message}`)
  })
})
