import { MixlabError, suggest } from '../errors.ts'
import type { Cell } from './types.ts'

/** A line that starts with this starts a cell, wherever it stands. */
export const MARK = '// %%'

/** The id of the text before the first header. */
export const PREAMBLE = 'top'

const KINDS = new Map<string, Cell['kind']>([
  ['markdown', 'markdown'],
  ['md', 'markdown'],
  ['sql', 'sql'],
])

/** The id of an unnamed cell, by its place among all cells (0 is the first). */
export function positionId(index: number): string {
  return `cell-${index + 1}`
}

/** Reads `// %% [kind] name`; a missing name is ''. `line` counts from 1. Throws MixlabError `notebook`. */
export function parseHeader(text: string, line: number): { kind: Cell['kind']; name: string } {
  const [, bracket, name = ''] = /^(?:\[([^\]]*)\])?\s*(.*)$/s.exec(text.slice(MARK.length).trim()) ?? []
  const kind = bracket === undefined ? 'code' : KINDS.get(bracket.trim())
  if (!kind) {
    const known = suggest(bracket ?? '', [...KINDS.keys()])
    throw new MixlabError('notebook', `line ${line}`, `unknown cell kind '${bracket}'${known}`)
  }
  if (/[[\]]/.test(name)) {
    throw new MixlabError('notebook', `line ${line}`, `cell name '${name}' has a bracket; write '${MARK} [kind] name'`)
  }
  return { kind, name }
}

/** Writes a header that `parseHeader` reads back. Throws MixlabError `notebook` for an id that no header can hold. */
export function printHeader(kind: Cell['kind'], name: string): string {
  if (name !== name.trim() || /[[\]\r\n]/.test(name)) {
    throw new MixlabError('notebook', name.trim(), 'a cell name is one line without brackets or outer white space')
  }
  return [MARK, kind === 'code' ? '' : `[${kind}]`, name].filter(Boolean).join(' ')
}
