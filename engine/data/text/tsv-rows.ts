import { MixlabError, quoted, shortened, suggest } from '../../errors.ts'
import { classNames, nameKey } from '../classNames.ts'
import { digest, runningDigest } from '../digest.ts'
import type { FileSource } from '../files.ts'
import { findFile } from './files.ts'
import { placeOf, readLines, type TextLine } from './lines.ts'

/** How a file of tab-separated values is to be read. */
export interface TsvLayout {
  /** Names in the header; without a header, numbers from 0. */
  columns: { first: string; second?: string | undefined; label: string }
  header: boolean
  /** Labels in the order of the classes; by default the labels found, sorted. */
  classes?: string[] | undefined
  /** Rows with one of these labels are left out. */
  leaveOut: string[]
  /** Leaves out rows that cannot be used, with a warning, where they otherwise are an error. */
  skipMalformed: boolean
}

/** Where the rows of a file are; the texts stay in it. */
export interface TsvRows {
  path: string
  /** First byte of each row. */
  starts: Float64Array
  /** First byte after each row. */
  ends: Float64Array
  /** Indices into `classes`. */
  labels: Uint16Array
  classes: string[]
  /** Which columns are the texts. */
  texts: number[]
  /** SHA-256 of the file. */
  hash: string
  warnings: string[]
}

export const MAX_CLASSES = 1000
/** Malformed rows that the warnings name. */
const NAMED = 10

interface Columns {
  names: string[]
  texts: number[]
  label: number
}

/**
 * Reads a file once, line by line; quotes are characters as others, blank lines are passed over. Throws MixlabError
 * `data` with line and offset for a missing column, a row of another length, an empty text, an unknown label, and what
 * is not UTF-8.
 */
export async function indexRows(path: string, layout: TsvLayout, files: FileSource): Promise<TsvRows> {
  const file = await findFile(path, files)
  const hash = runningDigest()
  const given = layout.classes && classNames(layout.classes)
  const labelIndex = new Map(given?.map((name, label) => [nameKey(name), label]))
  const written = new Set<string>()
  const starts: number[] = []
  const ends: number[] = []
  const labels: number[] = []
  const malformed: string[] = []
  let left = 0
  let blank = 0 // rows left out for white space alone
  let columns: Columns | null = null

  function add(line: TextLine, row: string[], columns: Columns): void {
    const wrong = faultOf(row, columns, layout)
    const name = labelOf(row, columns)
    const isUnwanted = wrong === null && layout.leaveOut.includes(name)
    if ((wrong !== null || isUnwanted) && hasBlank(row, columns)) blank++
    if (wrong !== null) {
      if (!layout.skipMalformed) throw failure(path, line, `${wrong} (skipMalformed: true leaves such rows out)`)
      malformed.push(`${path}: ${placeOf(line)}: ${wrong}`)
      return
    }
    if (isUnwanted) {
      left++
      return
    }
    const label = labelIndex.get(nameKey(name)) ?? labelIndex.size
    labelIndex.set(nameKey(name), label)
    if (!given) written.add(name)
    if (label === MAX_CLASSES) throw failure(path, line, `more than ${MAX_CLASSES} labels in '${layout.columns.label}'`)
    starts.push(line.offset)
    ends.push(line.end)
    labels.push(label)
  }

  for await (const lines of readLines(file, files, hash.add)) {
    for (const line of lines) {
      if (line.text.trim() === '' && !line.text.includes('\t')) continue
      const row = line.text.split('\t')
      const isHeader = columns === null && layout.header
      columns ??= columnsOf(row, layout, path, line)
      if (!isHeader) add(line, row, columns)
    }
  }
  const total = labels.length + left + malformed.length
  if (labels.length === 0) throw new MixlabError('data', path, `none of ${total} rows can be used`)

  const unwanted = layout.leaveOut.map((name) => `'${name}'`).join(' or ')
  const warnings = left ? [`${path}: ${left} of ${total} rows left out: ${layout.columns.label} is ${unwanted}`] : []
  if (malformed.length) warnings.push(`${path}: ${malformed.length} of ${total} rows left out as malformed`)
  const classes = given ?? classNames([...written]).sort(byNumberOrName)
  const keys = classes.map(nameKey)
  const order = [...labelIndex.keys()].map((key) => keys.indexOf(key))
  return {
    path,
    starts: Float64Array.from(starts),
    ends: Float64Array.from(ends),
    labels: Uint16Array.from(labels, (label) => order[label] ?? 0),
    classes,
    texts: columns?.texts ?? [],
    hash: blank > 0 ? digest(`${hash.hex()} without ${blank} blank`) : hash.hex(),
    warnings: [...warnings, ...malformed.slice(0, NAMED)],
  }
}

function columnsOf(row: string[], { columns, header }: TsvLayout, path: string, line: TextLine): Columns {
  const names = header ? row : row.map((_, i) => String(i))
  const placeOfColumn = (name: string) => {
    const place = names.indexOf(name)
    if (place === -1)
      throw failure(path, line, `no column '${name}'${suggest(name, names.slice(0, NAMED).map(shortened))}`)
    return place
  }
  const texts = [columns.first, ...(columns.second === undefined ? [] : [columns.second])]
  return { names, texts: texts.map(placeOfColumn), label: placeOfColumn(columns.label) }
}

/** Why a row cannot be used, or null. */
function faultOf(row: string[], columns: Columns, { classes, leaveOut }: TsvLayout): string | null {
  const { names, texts, label } = columns
  if (row.length !== names.length) return `${row.length} columns, expected ${names.length} as in the first line`
  const name = labelOf(row, columns)
  if (leaveOut.includes(name)) return null
  const empty = texts.find((place) => row[place]?.trim() === '')
  if (empty !== undefined) return `nothing in column ${quoted(names[empty] ?? '')}`
  if (name === '') return `nothing in column ${quoted(names[label] ?? '')}`
  const isKnown = !classes || classes.some((each) => nameKey(each) === nameKey(name))
  return isKnown ? null : `unknown label ${quoted(name)}${suggest(name, classes.slice(0, NAMED).map(shortened))}`
}

/** The label of a row; white space is none. */
const labelOf = (row: string[], { label }: Columns) => (row[label]?.trim() ? row[label] : '')

/** Whether a text or the label of a row is white space, which is no text. */
const hasBlank = (row: string[], { texts, label }: Columns) =>
  [...texts, label].some((place) => row[place] !== '' && row[place]?.trim() === '')

function failure(path: string, line: TextLine, message: string): MixlabError {
  return new MixlabError('data', path, `${placeOf(line)}: ${message}`)
}

/** Orders numbers by value and other labels by name. */
function byNumberOrName(a: string, b: string): number {
  return Number(a) - Number(b) || (a < b ? -1 : 1)
}
