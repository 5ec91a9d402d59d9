import { MixlabError } from '../errors.ts'
import { MARK, PREAMBLE, parseHeader, positionId } from './header.ts'
import type { Cell } from './types.ts'

/** A cell before it has an id. `line` is that of the first line of its body, counted from 1. */
interface Section {
  kind: Cell['kind']
  name: string
  line: number
  body: string[]
}

/**
 * Reads a notebook in percent format. Line ends become LF, and one blank line before a header belongs to no cell. A
 * name that is already taken gets `-2`, `-3`, ... Throws MixlabError `notebook` with the path `line 14`.
 */
export function parseNotebook(text: string): Cell[] {
  const sections = split(text)
  const taken = new Set(sections.map(({ name }) => name))
  const seen = new Set<string>()
  return sections.map((section, index) => {
    const first = !seen.has(section.name) && section.name !== ''
    const id = first ? section.name : free(section.name || defaultId(section, index), taken)
    seen.add(id)
    taken.add(id)
    return { id, kind: section.kind, source: sourceOf(section) }
  })
}

function split(text: string): Section[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  if (lines.at(-1) === '') lines.pop()
  const headers = lines.flatMap((line, index) => (line.startsWith(MARK) ? [index] : []))
  const bodyAfter = (start: number, end = lines.length) => {
    const separated = end < lines.length && end > start && lines[end - 1] === ''
    return lines.slice(start, separated ? end - 1 : end)
  }
  const sections = headers.map((header, index) => ({
    ...parseHeader(lines[header] ?? '', header + 1),
    line: header + 2,
    body: bodyAfter(header + 1, headers[index + 1]),
  }))
  const preamble = bodyAfter(0, headers[0])
  if (preamble.every((line) => line.trim() === '')) return sections
  return [{ kind: 'code', name: '', line: 1, body: preamble }, ...sections]
}

/** Only the text before the first header starts at line 1. */
function defaultId(section: Section, index: number): string {
  return section.line === 1 ? PREAMBLE : positionId(index)
}

function free(name: string, taken: Set<string>): string {
  if (!taken.has(name)) return name
  for (let n = 2; ; n++) if (!taken.has(`${name}-${n}`)) return `${name}-${n}`
}

function sourceOf({ kind, line, body }: Section): string {
  if (kind === 'code') return body.join('\n')
  const text = body.map((content, index) => {
    if (content.startsWith('// ')) return content.slice(3)
    if (content.startsWith('//')) return content.slice(2)
    if (content.trim() === '') return ''
    throw new MixlabError('notebook', `line ${line + index}`, `a line of a ${kind} cell starts with '//'`)
  })
  const filled = body.map((content) => content.trim() !== '')
  return text.slice(Math.max(0, filled.indexOf(true)), filled.lastIndexOf(true) + 1).join('\n')
}
