import { MixlabError } from '../errors.ts'
import { MARK, PREAMBLE, positionId, printHeader } from './header.ts'
import type { Cell } from './types.ts'

/**
 * Writes cells in percent format, so that `parseNotebook` gives the same cells. Line ends become LF. Throws MixlabError
 * `notebook` for ids that are empty or not unique, and for code with a line that would start a cell.
 */
export function printNotebook(cells: Cell[]): string {
  const seen = new Set<string>()
  const printed = cells.map((cell, index) => {
    if (cell.id === '') throw new MixlabError('notebook', `cell ${index + 1}`, 'its id is empty')
    if (seen.has(cell.id)) throw new MixlabError('notebook', cell.id, 'two cells have this id')
    seen.add(cell.id)
    const lines = linesOf(cell)
    if (!isPreamble(cell, index)) lines.unshift(printHeader(cell.kind, cell.id === positionId(index) ? '' : cell.id))
    return `${lines.join('\n')}\n`
  })
  return printed.join('\n')
}

/** Blank text before the first header is no cell, so a blank cell needs its header. */
function isPreamble({ id, kind, source }: Cell, index: number): boolean {
  return index === 0 && id === PREAMBLE && kind === 'code' && source.trim() !== ''
}

function linesOf({ id, kind, source }: Cell): string[] {
  if (source === '') return []
  const lines = source.replace(/\r\n?/g, '\n').split('\n')
  if (kind !== 'code') return lines.map(comment)
  const header = lines.findIndex((line) => line.startsWith(MARK))
  if (header < 0) return lines
  throw new MixlabError('notebook', `${id}:${header + 1}`, `a line that starts with '${MARK}' would start a new cell`)
}

function comment(text: string): string {
  // Without the space, text such as '%% note' does not turn into a header.
  if (text === '' || text.startsWith('%%')) return `//${text}`
  return `// ${text}`
}
