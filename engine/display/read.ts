import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import type { MatrixReader } from './thin.ts'
import type { DisplayValue } from './types.ts'

/** Numbers in a row: an array, a typed array, or a tensor with one axis. */
export type Numbers = readonly (number | null)[] | Float32Array | Float64Array | Int32Array | Uint8Array | tf.Tensor

/** Places on an axis, or groups. */
export type Values = Numbers | readonly (DisplayValue | boolean)[]

/** Numbers with two axes: rows of numbers, or a tensor. */
export type Matrix = readonly Numbers[] | tf.Tensor

/** Characters of one text. */
const MAX_TEXT_LENGTH = 1000

/** Decimal digits that float32 has, and that tell any two doubles apart. */
const FLOAT32 = 7
const FLOAT64 = 17

/** A number that JSON keeps, to so many digits; null for one that is not finite. */
export function jsonNumber(value: number | null, digits = FLOAT32): number | null {
  return value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(digits))
}

/** The numbers of `given`. Throws MixlabError `option` with `path` for anything else. */
export function readNumbers(given: unknown, path: string): (number | null)[] {
  const values = listOf(given, path, 'numbers')
  const wrong = values.findIndex((value) => typeof value !== 'number' && value !== null)
  if (wrong >= 0) throw new MixlabError('option', `${path}[${wrong}]`, `${show(values[wrong])}, expected a number`)
  return values.map((value) => (typeof value === 'number' ? jsonNumber(value, digitsOf(given)) : null))
}

/** Numbers and texts. Throws MixlabError `option` with `path` for anything else. */
export function readValues(given: unknown, path: string): DisplayValue[] {
  return listOf(given, path, 'numbers or texts').map((value, i) => readValue(value, `${path}[${i}]`, digitsOf(given)))
}

/** A text, or the beginning of a long one. */
export function shortText(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}...` : text
}

/** A number or a text; what is neither true nor missing throws MixlabError `option` with `path`. */
export function readValue(value: unknown, path: string, digits = FLOAT64): DisplayValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return jsonNumber(value, digits)
  if (typeof value === 'string') return shortText(value)
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  throw new MixlabError('option', path, `${show(value)}, expected a number or a text`)
}

/** The matrix in `given`, whose rows are all of one length. Throws MixlabError `option` with `path`. */
export function readMatrix(given: unknown, path: string): MatrixReader {
  if (given instanceof tf.Tensor) {
    const [height = 0, width = 0] = given.shape
    if (given.shape.length !== 2) throw new MixlabError('option', path, `has shape [${given.shape}], expected two axes`)
    const values = given.dataSync()
    return { height, width, at: (row, column) => values[row * width + column] ?? null }
  }
  if (!Array.isArray(given)) throw new MixlabError('option', path, `${show(given)}, expected rows of numbers`)
  const rows = given.map((row, i) => readNumbers(row, `${path}[${i}]`))
  const width = rows[0]?.length ?? 0
  const wrong = rows.findIndex((row) => row.length !== width)
  if (wrong < 0) return { height: rows.length, width, at: (row, column) => rows[row]?.[column] ?? null }
  throw new MixlabError('option', `${path}[${wrong}]`, `has ${rows[wrong]?.length} values, the first row has ${width}`)
}

/** Throws MixlabError `option` where two lists that belong together differ in length. */
export function checkLength(path: string, length: number, other: string, expected: number): void {
  if (length === expected) return
  throw new MixlabError('option', path, `has ${length} values, ${other} has ${expected}`)
}

/** Of the numbers of float32, the digits beyond its own are noise. */
function digitsOf(given: unknown): number {
  const short = given instanceof Float32Array || (given instanceof tf.Tensor && given.dtype === 'float32')
  return short ? FLOAT32 : FLOAT64
}

function listOf(given: unknown, path: string, what: string): unknown[] {
  if (given instanceof tf.Tensor) {
    if (given.shape.length === 1) return Array.from(given.dataSync())
    throw new MixlabError('option', path, `has shape [${given.shape}], expected one axis`)
  }
  if (Array.isArray(given)) return given
  if (ArrayBuffer.isView(given) && 'length' in given) return Array.from(given as unknown as ArrayLike<number>)
  throw new MixlabError('option', path, `${show(given)}, expected an array of ${what} or a tensor`)
}

function show(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 40)}'`
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
