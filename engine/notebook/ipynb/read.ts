import { MixlabError } from '../../errors.ts'
import { canBeName, isHeader } from '../header.ts'
import { idsOf } from '../ids.ts'
import type { Cell } from '../types.ts'
import { type JupyterCell, jupyterNotebook, mixlabMetadata } from './types.ts'

const OUR_LANGUAGES = ['typescript', 'javascript', 'ts', 'js']

/**
 * Reads the cells of a Jupyter notebook (nbformat 4); outputs are left out. Code in TypeScript or JavaScript becomes
 * code, that in any other language a text that shows it. Throws MixlabError `notebook`.
 */
export function readIpynb(text: string): Cell[] {
  const { metadata, cells } = parse(text)
  const language = metadata.language_info?.name ?? metadata.kernelspec?.language ?? 'python'
  const known = cells.map((cell) => mixlabMetadata.safeParse(cell.metadata.mixlab).data ?? {})
  const names = cells.map((cell, index) => nameOf(cell, known[index]?.id))
  const ids = idsOf(names, false)
  return cells.map((cell, index) => ({
    id: ids[index] ?? '',
    ...bodyOf(cell, language.toLowerCase(), known[index]?.kind),
    ...metadataOf(cell, known[index]?.metadata),
  }))
}

function parse(text: string) {
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new MixlabError('notebook', 'ipynb', 'is not JSON')
  }
  const { success, data } = jupyterNotebook.safeParse(json)
  const version = (json as { nbformat?: unknown } | null)?.nbformat
  if (typeof version === 'number' && version !== 4) {
    throw new MixlabError('notebook', 'nbformat', `version ${version}; only 4 is read, save it in Jupyter again`)
  }
  if (!success) throw new MixlabError('notebook', 'ipynb', 'is not a Jupyter notebook')
  return data
}

function nameOf({ metadata }: JupyterCell, id: string | undefined): string {
  const name = id ?? metadata.name
  return typeof name === 'string' && canBeName(name) ? name : ''
}

function bodyOf(cell: JupyterCell, language: string, kind: 'sql' | undefined): Pick<Cell, 'kind' | 'source'> {
  const source = (Array.isArray(cell.source) ? cell.source.join('') : cell.source).replace(/\r\n?/g, '\n')
  if (cell.cell_type === 'markdown') return { kind: 'markdown', source }
  if (cell.cell_type !== 'code') return { kind: kind ?? 'raw', source }
  const own = languageOf(cell) ?? language
  // A magic such as `%%bash` is in another language, too.
  const magic = source.trimStart().startsWith('%')
  if (!magic && OUR_LANGUAGES.includes(own)) return { kind: 'code', source: withoutHeaders(source) }
  return { kind: 'markdown', source: fenced(source, magic ? '' : own) }
}

/** Visual Studio Code records the language of a cell where it differs from the kernel's. */
function languageOf({ metadata }: JupyterCell): string | undefined {
  const { vscode } = metadata
  const language = typeof vscode === 'object' && vscode && 'languageId' in vscode ? vscode.languageId : undefined
  return typeof language === 'string' ? language : undefined
}

function fenced(source: string, language: string): string {
  const longest = Math.max(2, ...(source.match(/`+/g) ?? []).map((ticks) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${source}\n${fence}`
}

/** In percent format such a line would start a cell. */
function withoutHeaders(source: string): string {
  const lines = source.split('\n')
  return lines.map((line) => (isHeader(line) ? ` ${line}` : line)).join('\n')
}

/** What we wrote, unless the metadata was changed since; else all that Jupyter has. */
function metadataOf({ metadata }: JupyterCell, written: string | undefined): Pick<Cell, 'metadata'> {
  const { mixlab: _, name: __, ...rest } = metadata
  const text = Object.keys(rest).length > 0 ? JSON.stringify(rest) : ''
  const known = written !== undefined && (!written.startsWith('{') || compact(written) === text) ? written : text
  return known ? { metadata: known } : {}
}

function compact(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json))
  } catch {
    return ''
  }
}
