import { MixlabError } from '../errors.ts'
import { isHeader, isSame, printHeader } from './header.ts'
import { idsOf, PREAMBLE, positionId } from './ids.ts'
import { cellsOf } from './parse.ts'
import { readSections, type Section } from './sections.ts'
import type { Cell } from './types.ts'

/**
 * Writes cells in percent format, so that `parseNotebook` gives the same cells. What is the same in the text `before`
 * keeps every byte that it has there: header lines, line ends, white space; other line ends become those of `before`.
 * Throws MixlabError `notebook` for ids that are empty or not unique, and for code with a line that would start a cell.
 */
export function printNotebook(cells: Cell[], before = ''): string {
  checkIds(cells)
  const { mark, blank, sections, lineEnd, ended } = readSections(before)
  const known = new Map(cellsOf(sections).map(({ id }, index) => [id, sections[index]]))
  const sectionOf = cells.map(({ id }) => known.get(id))
  const headless = isPreamble(cells[0], sectionOf[0], mark)
  const names = namesOf(cells, sectionOf, headless)

  const printed = cells.map((cell, index) => {
    const section = sectionOf[index]
    const header = { kind: cell.kind, name: names[index] ?? '', metadata: cell.metadata ?? '' }
    const source = cell.source.replace(/\r\n?/g, '\n')
    const kept = section?.head && isSame(section, header) ? section.head : null
    const head = headless && index === 0 && names[0] === '' ? '' : (kept ?? printHeader(header) + lineEnd)
    const same = section?.kind === cell.kind && section.source === source
    const body = same ? section.body : linesOf(cell, source).join(lineEnd) + (source && lineEnd)
    const text = body ? joined(withEnd(head, lineEnd), body) : head
    if (index === cells.length - 1) return ended ? withEnd(text, lineEnd) : withoutEnd(text, same && section.last)
    const gap = section && !section.last ? section.gap : lineEnd
    return joined(withEnd(text, lineEnd), gap || (endsBlank(body) ? lineEnd : ''))
  })
  const top = headless && names[0] === '' ? '' : blank
  return mark + (cells.length > 0 ? withEnd(top, lineEnd) : top) + printed.join('')
}

function checkIds(cells: Cell[]): void {
  const seen = new Set<string>()
  for (const [index, { id }] of cells.entries()) {
    if (id === '') throw new MixlabError('notebook', `cell ${index + 1}`, 'its id is empty')
    if (seen.has(id)) throw new MixlabError('notebook', id, 'two cells have this id')
    seen.add(id)
  }
}

/** Whether the first cell can stand without a header. Blank text there is no cell, and no cell starts with a mark. */
function isPreamble(cell: Cell | undefined, section: Section | undefined, mark: string): boolean {
  if (cell?.kind !== 'code' || cell.metadata || cell.source.trim() === '') return false
  if (cell.source.startsWith('\uFEFF') && !mark) return false
  return section ? section.head === null : cell.id === PREAMBLE
}

/** The names to write: those in the file where they still give the ids of the cells, '' for an id by place. */
function namesOf(cells: Cell[], sections: (Section | undefined)[], headless: boolean): string[] {
  const names = cells.map(({ id }, index) => {
    const isDefault = id === positionId(index) || (headless && index === 0)
    return sections[index]?.name ?? (isDefault ? '' : id)
  })
  for (;;) {
    const ids = idsOf(names, headless)
    const wrong = cells.flatMap(({ id }, index) => (ids[index] !== id && names[index] !== id ? [index] : []))
    if (wrong.length === 0) return names
    for (const index of wrong) names[index] = cells[index]?.id ?? ''
  }
}

function linesOf({ id, kind }: Cell, source: string): string[] {
  const lines = source.split('\n')
  if (kind !== 'code') return source === '' ? [] : lines.map(comment)
  const header = lines.findIndex(isHeader)
  if (header < 0) return lines
  throw new MixlabError('notebook', `${id}:${header + 1}`, `the line '${lines[header]}' would start a new cell`)
}

/** A space in front keeps text such as '%% note' from turning into a header. */
function comment(text: string): string {
  const line = text === '' ? '//' : `// ${text}`
  return isHeader(line) ? ` ${line}` : line
}

function withEnd(text: string, lineEnd: string): string {
  return text === '' || /[\r\n]$/.test(text) ? text : text + lineEnd
}

/** A last line that is empty is one only with its end. `exact`: the text stands so in the file. */
function withoutEnd(text: string, exact: boolean): string {
  return exact ? text : text.replace(/([^\r\n])(?:\r\n?|\n)$/, '$1')
}

/** A CR and a LF that were two line ends are not to become one. */
function joined(text: string, next: string): string {
  return text.endsWith('\r') && next.startsWith('\n') ? `${text}\r${next.slice(1)}` : text + next
}

function endsBlank(body: string): boolean {
  return body.split(/\r\n?|\n/).at(-2) === ''
}
