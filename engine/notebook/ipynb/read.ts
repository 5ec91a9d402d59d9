import { MixlabError, quoted } from '../../errors.ts'
import { canBeName, isHeader } from '../header.ts'
import { idsOf } from '../ids.ts'
import type { Cell } from '../types.ts'
import { withAttachments } from './attachments.ts'
import { parseJupyter } from './json.ts'
import { type JupyterCell, jupyterNotebook, languageMetadata, mixlabMetadata, vscodeMetadata } from './types.ts'

const OUR_LANGUAGES = ['typescript', 'javascript', 'ts', 'js']

/** Languages by the names of kernels. */
const KERNELS: [RegExp, string][] = [
  [/^(?:deno|tslab|jslab|javascript|typescript|nodejs|mixlab)/, 'typescript'],
  [/^(?:python|conda|xpython)/, 'python'],
  [/^(?:ir|xr)$/, 'r'],
  [/^julia/, 'julia'],
]

/**
 * Reads the cells of a Jupyter notebook (nbformat 4). Code in TypeScript or JavaScript becomes code, that in any other
 * language a text that shows it; attachments become data URLs. `note` gets a sentence for all that is left out or
 * another thing afterwards. Throws MixlabError `notebook`.
 */
export function readIpynb(text: string, note: (sentence: string) => void = () => {}): Cell[] {
  const { metadata, cells } = parse(text)
  const known = cells.map((cell) => mixlabMetadata.parse(cell.metadata.mixlab ?? {}))
  const names = cells.map((cell, index) => nameOf(cell, known[index]?.id))
  const ids = idsOf(names, false)
  const sources = cells.map((cell, index) => {
    const { source, lost, missing } = withAttachments(sourceOf(cell), cell)
    for (const name of lost) note(`The attachment ${quoted(name)} of cell ${index + 1} was left out.`)
    for (const name of missing) note(`Cell ${index + 1} shows the attachment ${quoted(name)}, which it does not have.`)
    return source
  })
  const language = languageOf(metadata) ?? guessed(cells, sources, note)
  const foreign = new Map<string, number>()
  const read = cells.map((cell, index) => {
    const own = vscodeMetadata.parse(cell.metadata.vscode).languageId ?? language
    const body = bodyOf(cell, sources[index] ?? '', own.toLowerCase(), known[index]?.kind)
    const spoken = isMagic(sources[index] ?? '') ? 'magic commands' : own
    if (cell.cell_type === 'code' && body.kind !== 'code') foreign.set(spoken, (foreign.get(spoken) ?? 0) + 1)
    else if (!TYPES.includes(cell.cell_type))
      note(
        `Cell ${index + 1} became text: it ${cell.cell_type ? `is of the type ${quoted(cell.cell_type)}` : 'has no type'}.`,
      )
    return { id: ids[index] ?? '', ...body, ...metadataOf(cell, known[index]?.metadata) }
  })
  for (const [own, count] of foreign) {
    note(`${counted(count, 'cell')} of code${own && ` in ${quoted(own)}`} became text: Mixlab runs TypeScript.`)
  }
  const shown = cells.filter(({ outputs }) => outputs.length > 0).length
  if (shown > 0) note(`The outputs of ${counted(shown, 'cell')} were left out.`)
  const rest = Object.keys(metadata).filter((key) => key !== 'kernelspec' && key !== 'language_info')
  if (rest.length > 0) note(`Metadata of the notebook were left out: ${rest.map(quoted).join(', ')}.`)
  return read
}

const TYPES = ['code', 'markdown', 'raw']

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function parse(text: string) {
  const json = parseJupyter(text)
  const { nbformat, worksheets } = (typeof json === 'object' && json ? json : {}) as Record<string, unknown>
  const named = typeof nbformat === 'number' || typeof nbformat === 'string' ? Number(nbformat) : Number.NaN
  const version = Number.isNaN(named) ? (worksheets === undefined ? 4 : 3) : named
  if (version !== 4) {
    throw new MixlabError('notebook', 'nbformat', `version ${version}; only 4 is read, save it in Jupyter again`)
  }
  const { data, error } = jupyterNotebook.safeParse(json)
  if (data) return data
  const [part, index, field] = error.issues[0]?.path ?? []
  if (part !== 'cells') throw new MixlabError('notebook', 'ipynb', 'is not a Jupyter notebook: it is no JSON object')
  if (index === undefined)
    throw new MixlabError('notebook', 'ipynb', "is not a Jupyter notebook: it has no list 'cells'")
  const wanted = field === undefined ? 'is not an object' : `'${String(field)}' is neither a text nor a list of texts`
  throw new MixlabError('notebook', `cell ${Number(index) + 1}`, wanted)
}

function languageOf(metadata: Record<string, unknown>): string | undefined {
  const { language_info, kernelspec } = languageMetadata.parse(metadata)
  return language_info.name ?? kernelspec.language ?? KERNELS.find(([name]) => name.test(kernelspec.name ?? ''))?.[1]
}

/** The language of a notebook that names none: TypeScript where its code looks like it, else ''. */
function guessed(cells: JupyterCell[], sources: string[], note: (sentence: string) => void): string {
  const code = sources.filter((source, index) => cells[index]?.cell_type === 'code' && source.trim() !== '')
  if (code.length === 0) return ''
  const ours = code.some((source) => OURS.test(source)) && !code.some((source) => PYTHON.test(source))
  note(
    `The notebook names no language; its code ${ours ? 'was taken for TypeScript' : 'does not look like TypeScript'}.`,
  )
  return ours ? 'typescript' : ''
}

const OURS = /^\s*(?:(?:export |async )*(?:const|let|var|function|class|type|interface) |import .*['"]|console\.|\/\/)/m
const PYTHON =
  /^\s*(?:def |class \w+.*:$|import [\w.]+(?: as \w+)?(?:,.*)?$|from \S+ import |[#%!?]|(?:if|for|while|with) .*:$)/m

function nameOf({ metadata }: JupyterCell, id: string | undefined): string {
  const name = id ?? metadata.name
  return typeof name === 'string' && canBeName(name) ? name : ''
}

function sourceOf({ source }: JupyterCell): string {
  return (Array.isArray(source) ? source.join('') : (source ?? '')).replace(/\r\n?/g, '\n')
}

function bodyOf(cell: JupyterCell, source: string, language: string, kind?: 'sql'): Pick<Cell, 'kind' | 'source'> {
  if (cell.cell_type === 'markdown') return { kind: 'markdown', source }
  if (cell.cell_type === 'heading') return { kind: 'markdown', source: `${'#'.repeat(cell.level)} ${source}` }
  if (cell.cell_type !== 'code') return { kind: kind ?? 'raw', source }
  const magic = isMagic(source)
  if (!magic && OUR_LANGUAGES.includes(language)) return { kind: 'code', source: withoutHeaders(source) }
  return { kind: 'markdown', source: fenced(source, magic ? '' : language) }
}

/** Whether a cell begins with a magic such as `%%bash`: it is in another language, too. */
function isMagic(source: string): boolean {
  return source.trimStart().startsWith('%')
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
