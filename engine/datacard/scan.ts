import { sizeOf } from '../data/own/example.ts'
import type { Field, FieldBatch, TextSource } from '../data/types.ts'
import { MixlabError } from '../errors.ts'
import { keyOf, permutation } from '../random.ts'
import type { View, ViewedSplit } from './sorts.ts'

/** What was seen of a split. */
export interface ScannedSplit {
  name: string
  size: number
  /** Examples that were read, drawn once and for all; of running text its lines, from the first one on. */
  looked: number
  /** Whether that is all of it. */
  whole: boolean
  /** By class: how often it comes, in examples or pixels, and the first example that has it. */
  counts: number[]
  firsts: Map<number, number>
  /** The digest of what the model reads of each example, and where that comes first. */
  contents: Map<number, number>
  /** Examples that are copies of an earlier one of this split, and which one. */
  copies: Map<number, number>
  /** Why examples cannot be read. */
  unreadable: string[]
}

/** Values that are read at a time, and work before other work has its turn, in ms. */
const VALUES_AT_ONCE = 2 ** 18
const MAX_AT_ONCE = 256
const YIELD_EVERY_MS = 40

/** Faults that are read one by one. */
const MAX_FAULTS = 20

/** The field whose classes are counted. */
export function classFieldOf(fields: View['fields']): string | null {
  return Object.keys(fields).find((name) => fields[name]?.classes) ?? null
}

/**
 * Reads a split once, in a random order that is always the same, until all is read or `until`, a time in ms, has come: then
 * what was read is a fair part of it. One read at least. Classes that its source has said are counted in full.
 */
export async function scanSplit(split: ViewedSplit, fields: View['fields'], until: number): Promise<ScannedSplit> {
  if (split.text) return scanText(split.name, split.text, until)
  const { name, size, labels } = split
  const classField = classFieldOf(fields)
  const found: ScannedSplit = {
    name,
    size,
    looked: 0,
    whole: false,
    counts: [],
    firsts: new Map(),
    contents: new Map(),
    copies: new Map(),
    unreadable: [],
  }
  const values = Object.values(fields).reduce((sum, { shape }) => sum + sizeOf(shape), 0)
  const each = Math.max(1, Math.min(MAX_AT_ONCE, Math.floor(VALUES_AT_ONCE / values)))
  const order = permutation(keyOf(0, 'looked at'), size)
  const compared = comparedFields(fields)
  if (labels) for (let i = 0; i < size; i++) count(found, labels[i] as number, i)
  let since = performance.now()
  for (let from = 0; from < size && (from === 0 || performance.now() < until); from += each) {
    const indices = order.slice(from, from + each).sort()
    for (const [batch, own] of await readable(split, indices, found)) {
      if (classField && !labels) countClasses(found, batch[classField] as ArrayLike<number>, own)
      for (let i = 0; i < own.length; i++) {
        const content = contentOf(batch, compared, i)
        const index = own[i] as number
        note(found, content, index)
      }
      found.looked += own.length
    }
    if (found.unreadable.length >= MAX_FAULTS) break
    if (performance.now() - since < YIELD_EVERY_MS) continue
    await new Promise<void>((resolve) => setTimeout(() => resolve(), 0))
    since = performance.now()
  }
  found.whole = found.looked === size
  return found
}

/** Bytes of running text that are read at a time. */
const BYTES_AT_ONCE = 2 ** 18
/** Characters of a line that can be taken for another one only by being its copy. */
const MIN_LINE = 40

/** The long lines of running text. */
async function scanText(name: string, source: TextSource, until: number): Promise<ScannedSplit> {
  const found: ScannedSplit = {
    name,
    size: 0,
    looked: 0,
    whole: true,
    counts: [],
    firsts: new Map(),
    contents: new Map(),
    copies: new Map(),
    unreadable: [],
  }
  let rest = ''
  for (let from = 0; from < source.bytes; from += BYTES_AT_ONCE) {
    found.whole = from === 0 || performance.now() < until
    if (!found.whole) break
    const lines = (rest + (await source.read(from, Math.min(source.bytes, from + BYTES_AT_ONCE)))).split('\n')
    rest = lines.pop() ?? ''
    for (const line of from + BYTES_AT_ONCE < source.bytes ? lines : [...lines, rest]) {
      found.looked += 1
      if (line.trim().length < MIN_LINE) continue
      const content = contentOf({ text: [line] }, [['text', { dtype: 'text', shape: [] }]], 0)
      note(found, content, found.looked - 1)
    }
    await new Promise<void>((resolve) => setTimeout(() => resolve(), 0))
  }
  return { ...found, size: found.looked }
}

/** Notes what an example holds; of those that hold the same the first one stands for all. */
function note({ contents, copies }: ScannedSplit, content: number, index: number): void {
  const known = contents.get(content)
  if (known === undefined || index < known) contents.set(content, index)
  if (known !== undefined) copies.set(Math.max(known, index), Math.min(known, index))
}

/** Examples in one batch, or one by one where some cannot be read, which are noted. */
async function readable(
  { read, name }: ViewedSplit,
  indices: Uint32Array,
  found: ScannedSplit,
): Promise<[FieldBatch, Uint32Array][]> {
  try {
    return [[await read(indices), indices]]
  } catch (error) {
    if (!(error instanceof MixlabError)) throw error
  }
  const read1: [FieldBatch, Uint32Array][] = []
  for (const index of indices) {
    try {
      read1.push([await read([index]), Uint32Array.of(index)])
    } catch (error) {
      if (!(error instanceof MixlabError)) throw error
      found.unreadable.push(`${name} ${index}: ${error.message}`)
      if (found.unreadable.length >= MAX_FAULTS) break
    }
  }
  return read1
}

/** Counts the classes of examples, or of their pixels. */
function countClasses(found: ScannedSplit, labels: ArrayLike<number>, indices: Uint32Array): void {
  const each = labels.length / indices.length
  for (let i = 0; i < labels.length; i++) count(found, labels[i] as number, indices[Math.floor(i / each)] as number)
}

function count({ counts, firsts }: ScannedSplit, label: number, index: number): void {
  counts[label] = (counts[label] ?? 0) + 1
  if (!firsts.has(label)) firsts.set(label, index)
}

/** What makes two examples the same: all that is no class; what stands beside, too, where there is nothing else. */
function comparedFields(fields: View['fields']): [string, Field][] {
  const all = Object.entries(fields)
  const own = all.filter(([, { classes }]) => !classes)
  return own.length > 0 ? own : all
}

/** 52 bits of a digest of example `i`: of a million others one has the same by chance in one of thousands of data sets. */
function contentOf(batch: FieldBatch, fields: readonly [string, Field][], i: number): number {
  let [a, b] = [0x811c9dc5, 0x9747b28c]
  const add = (bits: number) => {
    a = Math.imul(a ^ bits, 0x85ebca6b)
    a ^= a >>> 15
    b = Math.imul(b ^ bits, 0xc2b2ae35) + 0x27d4eb2f
    b ^= b >>> 13
  }
  for (const [name, { shape }] of fields) {
    const values = batch[name] as FieldBatch[string]
    if (Array.isArray(values)) {
      const text = (values[i] as string).trim()
      for (let at = 0; at < text.length; at++) add(text.charCodeAt(at))
      add(-1)
    } else {
      const size = sizeOf(shape)
      const bits = new Uint32Array(values.buffer, values.byteOffset + 4 * i * size, size)
      for (let at = 0; at < size; at++) add(bits[at] as number)
    }
  }
  return (a >>> 0) * 2 ** 20 + ((b >>> 0) & 0xfffff)
}
