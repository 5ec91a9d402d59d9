import { fromBlobs, type PackedPoints, toBlob } from './chunk.ts'

/** What is kept of a stretch of a series in place of its points. Steps and values are NaN where there is no such point. */
export interface LevelEntry {
  firstStep: number
  lastStep: number
  /** How many of the values are numbers, and their sum. */
  numbers: number
  sum: number
  min: number
  minStep: number
  max: number
  maxStep: number
  /** The step of the first value that is not a number. */
  nanStep: number
}

/** The entry of a stretch without points. */
export function emptyEntry(): LevelEntry {
  return {
    firstStep: Number.NaN,
    lastStep: Number.NaN,
    numbers: 0,
    sum: 0,
    min: Number.NaN,
    minStep: Number.NaN,
    max: Number.NaN,
    maxStep: Number.NaN,
    nanStep: Number.NaN,
  }
}

/** Takes the points that follow, from index `from` to before `to`, into an entry. Of equal extremes the first one stays. */
export function addPoints(
  entry: LevelEntry,
  { steps, values }: PackedPoints,
  from = 0,
  to = values.length,
): LevelEntry {
  if (from >= to) return entry
  let { numbers, sum, min, minStep, max, maxStep } = entry
  for (let i = from; i < to; i++) {
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) {
      if (Number.isNaN(entry.nanStep)) entry.nanStep = steps[i] ?? Number.NaN
      continue
    }
    numbers++
    sum += value
    if (!(value >= min)) {
      min = value
      minStep = steps[i] ?? Number.NaN
    }
    if (!(value <= max)) {
      max = value
      maxStep = steps[i] ?? Number.NaN
    }
  }
  if (Number.isNaN(entry.firstStep)) entry.firstStep = steps[from] ?? Number.NaN
  const lastStep = steps[to - 1] ?? Number.NaN
  return Object.assign(entry, { lastStep, numbers, sum, min, minStep, max, maxStep })
}

/** Takes the stretch that follows, which has points, into an entry. */
export function addEntry(entry: LevelEntry, next: LevelEntry): LevelEntry {
  if (Number.isNaN(entry.firstStep)) return Object.assign(entry, next)
  entry.lastStep = next.lastStep
  entry.numbers += next.numbers
  entry.sum += next.sum
  if (Number.isNaN(entry.nanStep)) entry.nanStep = next.nanStep
  if (Number.isNaN(entry.min) || next.min < entry.min) {
    entry.min = next.min
    entry.minStep = next.minStep
  }
  if (Number.isNaN(entry.max) || next.max > entry.max) {
    entry.max = next.max
    entry.maxStep = next.maxStep
  }
  return entry
}

/** Numbers of an entry in the store, in the order of its fields. */
const entryWidth = 9

/** Entries as they lie in the store. */
export function packEntries(entries: LevelEntry[]): Uint8Array {
  const numbers = entries.flatMap((entry) => [
    ...[entry.firstStep, entry.lastStep, entry.numbers, entry.sum],
    ...[entry.min, entry.minStep, entry.max, entry.maxStep, entry.nanStep],
  ])
  return toBlob(new Float64Array(numbers))
}

/** The entries in some bytes of the store. */
export function unpackEntries(bytes: Uint8Array): LevelEntry[] {
  const numbers = fromBlobs([bytes])
  const entries: LevelEntry[] = []
  for (let at = 0; at < numbers.length; at += entryWidth) {
    const field = (i: number) => numbers[at + i] ?? Number.NaN
    entries.push({
      firstStep: field(0),
      lastStep: field(1),
      numbers: field(2),
      sum: field(3),
      min: field(4),
      minStep: field(5),
      max: field(6),
      maxStep: field(7),
      nanStep: field(8),
    })
  }
  return entries
}
