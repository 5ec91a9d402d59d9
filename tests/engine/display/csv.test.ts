import { expect, it } from 'vitest'
import { toCsv } from '../../../engine/display/csv.ts'

it('writes CSV with quotes where they are needed', () => {
  const rows = [
    [0.123456789, 'a "b", c'],
    [null, 'two\nlines'],
  ]
  expect(toCsv(['value', 'na,me'], rows)).toBe('value,"na,me"\r\n0.123456789,"a ""b"", c"\r\n,"two\nlines"\r\n')
})
