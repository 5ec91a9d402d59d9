import { MixlabError } from '../errors.ts'
import type { Cell } from './types.ts'

/** What starts a cell where it starts a line. Behind it stands white space, `[` or nothing: `// %%time` is a comment. */
const MARK = /^\/\/[ \t]*%%+(?=[\s[]|$)/

const KINDS = new Map<string, Cell['kind']>([
  ['code', 'code'],
  ['markdown', 'markdown'],
  ['md', 'markdown'],
  ['sql', 'sql'],
  ['raw', 'raw'],
])

/** `{"key": 1}`, up to the end, or `key="value"`, as Jupytext writes it behind the name. */
const OBJECT = /(?<=^|\s)\{/
const PAIRS = /(?<=^|\s)[\w.-]+=(?:["[{]|true\b|false\b|null\b)/

/** What the header line of a cell says. */
export interface Header {
  kind: Cell['kind']
  /** '' for none. */
  name: string
  metadata: string
}

/** Whether a line starts a cell, wherever it stands: `// %%`, `//%% name`, `// %% [kind] name`. */
export function isHeader(line: string): boolean {
  return MARK.test(line)
}

/**
 * Reads `// %% [kind] name metadata`, or with the name first, as Jupytext has it. A kind that is not known is `raw`.
 */
export function parseHeader(line: string): Header {
  const text = line.replace(MARK, '').trim()
  const [, label, rest = text] = /^\[([^\]]*)\]\s*(.*)$/s.exec(text) ?? []
  if (label !== undefined) return { kind: KINDS.get(label.trim().toLowerCase()) ?? 'raw', ...nameIn(rest) }
  const found = /\s\[(code|markdown|md|sql|raw)\]/.exec(text)
  const after = found && nameIn(text.slice(found.index + found[0].length).trimStart())
  if (after?.name !== '') return { kind: 'code', ...nameIn(text) }
  return {
    kind: KINDS.get(found?.[1] ?? '') ?? 'code',
    name: text.slice(0, found?.index).trimEnd(),
    metadata: after.metadata,
  }
}

/** Writes a header that `parseHeader` reads back. Throws MixlabError `notebook` for a name that no header can hold. */
export function printHeader(header: Header): string {
  const line = headerLine(header)
  if (line !== null) return line
  throw new MixlabError('notebook', header.name, "a cell name is one line without outer white space, '{...}' or 'key='")
}

/** Whether a header can hold a name. */
export function canBeName(name: string): boolean {
  return headerLine({ kind: 'code', name, metadata: '' }) !== null
}

function headerLine(header: Header): string | null {
  const { kind, name, metadata } = header
  const labels = kind === 'code' ? ['', '[code]'] : [`[${kind}]`]
  const lines = labels.map((label) => ['// %%', label, name, metadata].filter(Boolean).join(' '))
  return lines.find((line) => !/[\r\n]/.test(line) && isSame(parseHeader(line), header)) ?? null
}

export function isSame(a: Header, b: Header): boolean {
  return a.kind === b.kind && a.name === b.name && a.metadata === b.metadata
}

function nameIn(text: string): { name: string; metadata: string } {
  const starts = [text.endsWith('}') ? text.search(OBJECT) : -1, text.search(PAIRS)].filter((at) => at >= 0)
  const start = Math.min(...starts, text.length)
  return { name: text.slice(0, start).trim(), metadata: text.slice(start) }
}
