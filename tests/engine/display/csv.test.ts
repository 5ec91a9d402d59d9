import { expect, it } from 'vitest'
import { toCsv } from '../../../engine/display/csv.ts'

it.each(['=1+1', '+SUM(A1)', '-2+3', '@x', '\t=1', '\n=1', '\uff1d1', '\uff201', '=HYPERLINK("http://x","y")'])(
  'puts an apostrophe in front of %j, which a spreadsheet takes for a formula, unless it is to stay raw',
  (text) => {
    const cell = (value: string) => (/["\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
    const comma = (value: string) => (value.includes(',') ? `"${value.replaceAll('"', '""')}"` : cell(value))
    expect(toCsv([text], [[text]])).toBe(`${comma(`'${text}`)}\r\n${comma(`'${text}`)}\r\n`)
    expect(toCsv([text], [[text]], true)).toBe(`${comma(text)}\r\n${comma(text)}\r\n`)
  },
)

it('leaves numbers as they are, also those in texts', () => {
  const rows = [[-1.5, '-2', '+3e-4', Number.NEGATIVE_INFINITY, 'a=b', "'x", '']]
  expect(toCsv([], rows)).toBe("\r\n-1.5,-2,+3e-4,-Infinity,a=b,'x,\r\n")
})

it('writes CSV with quotes where they are needed', () => {
  const rows = [
    [0.123456789, 'a "b", c'],
    [null, 'two\nlines'],
  ]
  expect(toCsv(['value', 'na,me'], rows)).toBe('value,"na,me"\r\n0.123456789,"a ""b"", c"\r\n,"two\nlines"\r\n')
})
