import { isFigure, isOpen } from '../../engine/display/figures.ts'
import { isRecord } from '../../engine/display/marks.ts'
import { table } from '../../engine/display/table.ts'
import type { Figure, OpenFigure } from '../../engine/display/types.ts'
import type { Body, TreeBody, TreeEntry } from '../protocol/body.ts'
import type { ValueView } from '../protocol/output.ts'
import { imagesBody } from './imagesBody.ts'
import { preview } from './preview.ts'
import { type TensorLike, tensorBody } from './tensorBody.ts'

/** How a value is shown below its cell. Never throws, and its size has a bound, whatever the size of the value. */
export function viewOf(value: unknown): ValueView {
  try {
    if (isFigure(value)) {
      const said = { kind: value.type, text: wordsFor(value) }
      return isOpen(value) ? { ...said, open: value } : { ...said, body: value }
    }
    const { kind, text } = preview(value)
    const body = bodyOf(value, text)
    return { kind, text, ...(body ? { body } : {}) }
  } catch {
    return preview(value)
  }
}

function bodyOf(value: unknown, text: string): Body | null {
  if (!isTensor(value)) return recordsBody(value) ?? (text.includes('\n') ? treeBody(value) : null)
  if (value.shape.length === 0 || value.dtype === 'string' || value.dtype === 'complex64') return null
  const values = value.dataSync()
  return imagesBody(value, values) ?? tensorBody(value, values)
}

/** Records of numbers and texts are a table. */
function recordsBody(value: unknown): Body | null {
  if (!Array.isArray(value) || value.length < 2 || !value.every(isRecord)) return null
  try {
    return table(value)
  } catch {
    return null // they hold other things
  }
}

function wordsFor(figure: Figure | OpenFigure): string {
  if (figure.type === 'runs') return `${figure.y} of the runs ${figure.filter}`.trim()
  if (figure.type === 'table') return `table of ${figure.total} rows: ${figure.columns.join(', ')}`
  if (figure.type === 'panels') return [`${figure.panels.length} panels`, figure.title].filter(Boolean).join(': ')
  return [figure.type === 'marks' ? figure.mark : figure.type, figure.title].filter(Boolean).join(': ')
}

function isTensor(value: unknown): value is TensorLike {
  return typeof value === 'object' && value !== null && 'dataSync' in value && 'shape' in value && 'dtype' in value
}

const DEPTH = 6
const ENTRIES = 50
/** Of all levels together. */
const MAX_TOTAL_ENTRIES = 500
const LINE = 120 // characters
const NAMES = 4

/** What an object, array, map or set holds, level by level; null for other values. Its size has a bound. */
function treeBody(value: unknown): TreeBody | null {
  let left = MAX_TOTAL_ENTRIES
  const open = new Set<unknown>()

  function entriesOf(holder: unknown, depth: number): TreeEntry[] | null {
    const inner = open.has(holder) || depth === 0 ? null : innerOf(holder)
    if (!inner || inner.length === 0) return null
    open.add(holder)
    const shown = inner.slice(0, Math.min(ENTRIES, left))
    left -= shown.length
    const entries = shown.map(([name, held]): TreeEntry => {
      const entries = entriesOf(held, depth - 1)
      return { name: name.slice(0, LINE), text: lineOf(held), ...(entries ? { entries } : {}) }
    })
    open.delete(holder)
    if (shown.length < inner.length) entries.push({ name: '...', text: `${inner.length - shown.length} more` })
    return entries
  }

  const entries = entriesOf(value, DEPTH)
  return entries ? { type: 'tree', entries } : null
}

/** Name and value of what is in `holder`; null where its line says it all, as it does of a list of numbers. */
function innerOf(holder: unknown): [name: string, value: unknown][] | null {
  if (typeof holder !== 'object' || holder === null || holder instanceof Error) return null
  if (ArrayBuffer.isView(holder) || 'dataSync' in holder) return null
  if (Array.isArray(holder) && holder.every((value) => typeof value === 'number')) return null
  if (holder instanceof Map) return [...holder].map(([key, value]) => [preview(key).text, value])
  if (holder instanceof Set) return [...holder].map((value, i) => [String(i), value])
  return Object.entries(holder)
}

function lineOf(value: unknown): string {
  const { kind, text } = preview(value)
  const long = text.length > LINE || text.includes('\n')
  if (typeof value === 'string') return JSON.stringify(long ? `${text.slice(0, LINE)}...` : text)
  if (kind.startsWith('tensor')) return kind
  if (!long) return text
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? outline(value).slice(0, LINE) : kind
}

/** The class of an object, or the first of its names. */
function outline(value: object): string {
  const name = value.constructor?.name
  if (name && name !== 'Object') return name
  const names = Object.keys(value)
  return `{ ${names.slice(0, NAMES).join(', ')}${names.length > NAMES ? ', ...' : ''} }`
}
