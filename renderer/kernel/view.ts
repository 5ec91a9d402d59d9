import { isFigure } from '../../engine/display/figures.ts'
import { isRecord } from '../../engine/display/marks.ts'
import { table } from '../../engine/display/table.ts'
import type { Figure } from '../../engine/display/types.ts'
import type { Body } from '../protocol/body.ts'
import type { ValueView } from '../protocol/output.ts'
import { imagesBody } from './imagesBody.ts'
import { preview } from './preview.ts'
import { type TensorLike, tensorBody } from './tensorBody.ts'
import { treeBody } from './treeBody.ts'

/** How a value is shown below its cell. Never throws, and its size has a bound, whatever the size of the value. */
export function viewOf(value: unknown): ValueView {
  try {
    if (isFigure(value)) return { kind: value.type, text: wordsFor(value), body: value }
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

function wordsFor(figure: Figure): string {
  if (figure.type === 'table') return `table of ${figure.total} rows: ${figure.columns.join(', ')}`
  return [figure.type === 'marks' ? figure.mark : figure.type, figure.title].filter(Boolean).join(': ')
}

function isTensor(value: unknown): value is TensorLike {
  return typeof value === 'object' && value !== null && 'dataSync' in value && 'shape' in value && 'dtype' in value
}
