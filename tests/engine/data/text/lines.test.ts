import { describe, expect, it } from 'vitest'
import { readLines, type TextLine } from '../../../../engine/data/text/lines.ts'
import { memoryFiles } from '../memory-files.ts'
import { broken } from './encodings.ts'

async function linesOf(content: string | Uint8Array) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const lines: TextLine[] = []
  let seen = 0
  const file = { path: 'f', size: bytes.length }
  for await (const some of readLines(file, memoryFiles({ f: bytes }), (part) => (seen += part.length)))
    lines.push(...some)
  expect(seen).toBe(bytes.length)
  return lines
}

describe('readLines', () => {
  it('says what lines there are and where', async () => {
    expect(await linesOf('é\r\n\nlast')).toEqual([
      { text: 'é', number: 1, offset: 0, end: 4 },
      { text: '', number: 2, offset: 4, end: 5 },
      { text: 'last', number: 3, offset: 5, end: 9 },
    ])
    expect((await linesOf('one\ntwo\n')).map(({ text }) => text)).toEqual(['one', 'two'])
  })

  it('joins lines that the parts of a file cut', async () => {
    const rows = Array.from({ length: 5 }, (_, i) => `${i}${'é'.repeat(300_000)}`)
    const lines = await linesOf(rows.join('\n'))
    expect(lines.map(({ text }) => text)).toEqual(rows)
    expect(lines.map(({ number, offset }) => [number, offset])).toEqual(rows.map((_, i) => [i + 1, i * 600_002]))
  })

  it('says where a line is not UTF-8', async () => {
    const before = `${'é'.repeat(600_000)}\nab`
    await expect(linesOf(broken(before, 'x\n'))).rejects.toThrow('f: line 2, offset 1200003: byte 0xe9, expected UTF-8')
  })
})
