import { type Header, isHeader, parseHeader } from './header.ts'

/** The text of one cell in a file, taken apart; `head`, `body` and `gap` together are the text to the byte. */
export interface Section extends Header {
  /** The header line; null for the text before the first one. */
  head: string | null
  body: string
  /** The blank line before the next header, if there is one. */
  gap: string
  /** Whether no cell follows. */
  last: boolean
  /** The body as the cell shows it, with LF. */
  source: string
}

/** A file in percent format; `mark`, `blank` and the sections together are its text to the byte. */
export interface Sections {
  /** The byte order mark, if there is one. */
  mark: string
  /** Blank text before the first header; it is no cell. */
  blank: string
  sections: Section[]
  /** How lines end that are written new. */
  lineEnd: string
  /** Whether the last line ends. */
  ended: boolean
}

/** Takes a file apart. Every text is a file in percent format. */
export function readSections(text: string): Sections {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const lines = text.slice(mark.length).match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g) ?? []
  const headers = lines.flatMap((line, index) => (isHeader(content(line)) ? [index] : []))
  const before = lines.slice(0, headers[0])
  const noCell = before.every((line) => line.trim() === '')
  const sections = headers.map((header, index) => {
    const head = lines[header] ?? ''
    return section(parseHeader(content(head)), head, lines.slice(header + 1, headers[index + 1]), !headers[index + 1])
  })
  if (!noCell) sections.unshift(section({ kind: 'code', name: '', metadata: '' }, null, before, headers.length === 0))
  return {
    mark,
    blank: noCell ? before.join('') : '',
    sections,
    lineEnd: lines[0]?.endsWith('\r\n') ? '\r\n' : '\n',
    ended: /(^|[\r\n])$/.test(text),
  }
}

function section(header: Header, head: string | null, lines: string[], last: boolean): Section {
  const separated = !last && lines.length > 0 && content(lines.at(-1) ?? '') === ''
  const body = separated ? lines.slice(0, -1) : lines
  const source = header.kind === 'code' ? body.map(content).join('\n') : textOf(body.map(content))
  return { ...header, head, body: body.join(''), gap: separated ? (lines.at(-1) ?? '') : '', last, source }
}

/** Text without the comment marks, and without the blank lines around it. A line that is no comment stays as it is. */
function textOf(lines: string[]): string {
  const filled = lines.map((line) => line.trim() !== '')
  return lines
    .slice(Math.max(0, filled.indexOf(true)), filled.lastIndexOf(true) + 1)
    .map((line) => /^\s*\/\/ ?(.*)$/s.exec(line)?.[1] ?? (line.trim() && line))
    .join('\n')
}

function content(line: string): string {
  return line.replace(/[\r\n]+$/, '')
}
