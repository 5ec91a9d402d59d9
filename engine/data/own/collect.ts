import type { Fail } from '../../errors.ts'
import { checkIndices } from '../indices.ts'
import type { Field, FieldBatch, FieldDataset, Pool } from '../types.ts'
import type { Part } from './draws.ts'
import { type Example, fieldOf, sizeOf, writeValue } from './example.ts'

/** FieldDataset of a part, which `at` gives once and `again` once more. */
export interface ExampleSource {
  size: number
  at(index: number): unknown
  again(index: number): unknown
}

/** All values by part. */
export type Collected = Partial<Record<Part, FieldBatch>>

/** Values that the examples of a cell may have in all, which are held in memory. */
const MOST_VALUES = 2 ** 29

/** Milliseconds of work before other work has its turn. */
const YIELD_EVERY_MS = 50

/** The fields of the first example. Throws where a value is none, or all examples would not fit into memory. */
export function fieldsOfFirst(
  first: unknown,
  count: number,
  shapes: Record<string, readonly number[]>,
  fail: Fail,
): Record<string, Field> {
  const example = checkedExample(first, fail)
  const names = Object.keys(example)
  if (names.length === 0) throw fail('the first example is empty, expected values by name, e.g. { image, label }')
  const fields = Object.fromEntries(names.map((name) => [name, fieldOf(name, example[name], shapes[name], fail)]))
  const values = count * Object.values(fields).reduce((sum, { shape }) => sum + sizeOf(shape), 0)
  if (values <= MOST_VALUES) return fields
  throw fail(`${count} examples have ${values} values, expected at most ${MOST_VALUES}, which memory can hold`)
}

/**
 * Collects the examples of a part, each made twice. Throws, with the index, for one that has other fields than the first
 * one, or is not the same again.
 */
export async function collect(
  source: ExampleSource,
  part: Part,
  fields: Record<string, Field>,
  fail: Fail,
): Promise<FieldBatch> {
  const names = Object.keys(fields)
  const room = (count: number): FieldBatch =>
    Object.fromEntries(names.map((name) => [name, emptyOf(fields[name] as Field, count)]))
  const all = room(source.size)
  const again = room(1)
  let since = performance.now()
  for (let i = 0; i < source.size; i++) {
    const failHere: Fail = (what) => fail(`example ${i} of ${part}: ${what}`)
    write(checkedExample(source.at(i), failHere), fields, all, i, failHere)
    write(checkedExample(source.again(i), failHere), fields, again, 0, failHere)
    const other = names.find((name) => !isSameAt(all, again, name, i, sizeOf((fields[name] as Field).shape)))
    if (other !== undefined) {
      throw failHere(`${other} is another the second time; take all random numbers from random, and keep no state`)
    }
    if (performance.now() - since < YIELD_EVERY_MS) continue
    await new Promise<void>((resolve) => setTimeout(resolve, 0))
    since = performance.now()
  }
  return all
}

/** A part in memory. */
export function splitOf(values: FieldBatch, fields: FieldDataset['fields'], size: number): Pool<FieldBatch> {
  const labels = values.label
  return {
    size,
    read: async (indices) => {
      checkIndices(indices, size)
      const gathered = Object.entries(fields).map(([name, field]) => [name, gather(values, name, field, indices)])
      return Object.fromEntries(gathered)
    },
    ...(labels instanceof Int32Array && { labels }),
  }
}

function gather(values: FieldBatch, name: string, field: Field, indices: ArrayLike<number>): FieldBatch[string] {
  const all = values[name] as FieldBatch[string]
  if (Array.isArray(all)) return Array.from(indices, (index) => all[index] as string)
  const length = sizeOf(field.shape)
  const own = emptyOf(field, indices.length) as Float32Array | Int32Array
  for (let i = 0; i < indices.length; i++) {
    const from = (indices[i] as number) * length
    own.set(all.subarray(from, from + length), i * length)
  }
  return own
}

export function emptyOf({ dtype, shape }: Field, count: number): FieldBatch[string] {
  if (dtype === 'text') return new Array<string>(count).fill('')
  return dtype === 'int32' ? new Int32Array(count * sizeOf(shape)) : new Float32Array(count * sizeOf(shape))
}

function checkedExample(given: unknown, fail: Fail): Example {
  if (typeof given === 'object' && given !== null && 'then' in given) {
    throw fail('is a promise, expected values by name, at once')
  }
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Example
  throw fail(`is of type ${typeof given}, expected values by name, e.g. { image, label }`)
}

function write(example: Example, fields: Record<string, Field>, into: FieldBatch, at: number, fail: Fail): void {
  const names = Object.keys(fields)
  const other = Object.keys(example).find((name) => !fields[name])
  if (other !== undefined) throw fail(`has '${other}', expected ${names.join(', ')} as in the first example`)
  for (const name of names) {
    writeValue(example[name], { ...(fields[name] as Field), name }, into[name] as FieldBatch[string], at, fail)
  }
}

function isSameAt(all: FieldBatch, one: FieldBatch, name: string, at: number, length: number): boolean {
  const [given, again] = [all[name] as FieldBatch[string], one[name] as FieldBatch[string]]
  for (let i = 0; i < length; i++) if (!Object.is(given[at * length + i], again[i])) return false
  return true
}
