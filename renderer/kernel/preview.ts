import { clipped } from '../../engine/errors.ts'
import type { ValueView } from '../protocol/output.ts'

const DEPTH = 4
const ENTRIES = 50
const NUMBERS = 12
const LONGEST_KIND = 100 // characters

/** A tensor, seen from outside: anything with a shape, a dtype and synchronous data. */
interface TensorLike {
  shape: number[]
  dtype: string
  dataSync(): ArrayLike<number>
}

/** What a value is and the beginning of what it holds. Never throws, whatever getters a value has. */
export function preview(value: unknown): ValueView {
  try {
    return { kind: kindOf(value).slice(0, LONGEST_KIND), text: clipped(show(value, DEPTH, '')) }
  } catch {
    return { kind: typeof value, text: 'a value that cannot be shown' }
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (isTensor(value)) return `tensor [${value.shape.join(', ')}] ${value.dtype}`
  if (Array.isArray(value)) return `array of ${value.length}`
  if (ArrayBuffer.isView(value)) return value.constructor.name
  return typeof value
}

function show(value: unknown, depth: number, indent: string): string {
  if (typeof value === 'string') return depth === DEPTH ? value : JSON.stringify(clipped(value))
  if (typeof value === 'function') return `function ${value.name || '(anonymous)'}`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof Error) return `${value.name}: ${value.message}`
  if (isTensor(value)) return numbers(value.dataSync())
  if (ArrayBuffer.isView(value) && 'length' in value) return numbers(value as unknown as ArrayLike<number>)
  if (depth === 0) return Array.isArray(value) ? '[...]' : '{...}'
  return Array.isArray(value) ? showArray(value, depth, indent) : showObject(value, depth, indent)
}

function showArray(values: unknown[], depth: number, indent: string): string {
  if (values.every((value) => typeof value === 'number')) return numbers(values)
  const items = values.slice(0, ENTRIES).map((value) => show(value, depth - 1, `${indent}  `))
  if (values.length > ENTRIES) items.push(`... ${values.length - ENTRIES} more`)
  return brackets('[', items, ']', indent)
}

function showObject(value: object, depth: number, indent: string): string {
  const source = value instanceof Map ? [...value] : Object.entries(value)
  const items = source
    .slice(0, ENTRIES)
    .map(([name, entry]) => `${clipped(String(name))}: ${show(entry, depth - 1, `${indent}  `)}`)
  if (source.length > ENTRIES) items.push(`... ${source.length - ENTRIES} more`)
  return brackets('{', items, '}', indent)
}

function brackets(open: string, items: string[], close: string, indent: string): string {
  const flat = `${open} ${items.join(', ')} ${close}`
  if (items.length === 0) return open + close
  if (flat.length + indent.length <= 90 && !flat.includes('\n')) return flat
  return `${open}\n${items.map((item) => `${indent}  ${item}`).join(',\n')}\n${indent}${close}`
}

function numbers(values: ArrayLike<number>): string {
  const first = Array.from({ length: Math.min(NUMBERS, values.length) }, (_, i) => Number(values[i]))
  const text = first
    .map((number) => String(Number.isInteger(number) ? number : Number(number.toPrecision(6))))
    .join(', ')
  return `[${text}${values.length > NUMBERS ? `, ... ${values.length - NUMBERS} more` : ''}]`
}

function isTensor(value: unknown): value is TensorLike {
  return typeof value === 'object' && value !== null && 'dataSync' in value && 'shape' in value && 'dtype' in value
}
