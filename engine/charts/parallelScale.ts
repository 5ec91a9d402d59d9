import { roundTicks } from './figure/ticks.ts'

/** One axis of a chart of parallel axes. */
export interface Scale {
  /** 0 (below) to 1 (above); null for a value that is missing. */
  place(value: string | number | null): number | null
  ticks: { at: number; text: string }[]
}

/** Of more different numbers, a few round places are marked instead of each. */
const FEW = 6
/** From this ratio of largest to smallest on, powers are spread evenly. */
const WIDE = 20

/** The axis of values: names evenly in their order, numbers by their size or, over a wide range above 0, by its logarithm. */
export function scaleOf(values: (string | number | null)[], textOf: (value: number) => string = digits): Scale {
  const known = [...new Set(values.filter((value) => value !== null))]
  return known.every((value) => typeof value === 'number') ? numberScale(known, textOf) : nameScale(known.map(String))
}

function nameScale(names: string[]): Scale {
  const sorted = names.toSorted((a, b) => a.localeCompare(b, undefined, { numeric: true }))
  const at = (index: number) => (sorted.length === 1 ? 0.5 : index / (sorted.length - 1))
  return {
    place: (value) => (value === null ? null : at(sorted.indexOf(String(value)))),
    ticks: sorted.map((text, index) => ({ at: at(index), text })),
  }
}

function numberScale(values: number[], textOf: (value: number) => string): Scale {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  const [low = 0, high = 0] = [sorted[0], sorted.at(-1)]
  const log = low > 0 && high / low >= WIDE
  const [from, to] = log ? [Math.log(low), Math.log(high)] : [low, high]
  const place = (value: number) => (from === to ? 0.5 : ((log ? Math.log(value) : value) - from) / (to - from))
  const marked = sorted.length <= FEW ? sorted : log ? decades(low, high) : roundTicks(low, high, FEW)
  return {
    place: (value) => (typeof value === 'number' && Number.isFinite(value) ? place(value) : null),
    ticks: marked.map((value) => ({ at: place(value), text: textOf(value) })),
  }
}

/** The powers of ten between two numbers, and the two. */
function decades(low: number, high: number): number[] {
  const first = Math.ceil(Math.log10(low) + 0.2)
  const last = Math.floor(Math.log10(high) - 0.2)
  const between = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => 10 ** (first + i))
  return [low, ...between, high]
}

function digits(value: number): string {
  return String(Number(value.toPrecision(3)))
}
