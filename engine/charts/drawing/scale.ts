import type { Axis, Place } from '../figure/axes.ts'
import { roundTicks } from '../figure/ticks.ts'
import { plainLines } from './letters.ts'
import { formatted } from './numbers.ts'

/** A tick: where it stands on its scale, and what is written there. */
export interface Tick {
  at: number
  lines: string[]
}

/** An axis over its values. `at` is the place of a value in the unit of the range, an exponent where it is logarithmic. */
export interface Scale {
  log: boolean
  /** Names of categories, which stand at 0, 1 and so on; null on an axis of numbers. */
  categories: string[] | null
  /** The ends, the second at the right or on top. */
  range: [number, number]
  at(value: Place): number | null
}

/** What is on an axis. */
export interface OnAxis {
  values: Place[]
  /** Values that are no mark of their own, such as ends of whiskers. */
  numbers: number[]
  /** 0 has to be on it, as for bars. */
  zero: boolean
  /** Room beside the first and the last value: for marks a share of the range, in the units of the axis for bars and cells. */
  share: number
  units: number
}

/** The scale of an axis that has all of its values on it. */
export function scaleOf(axis: Axis, { values, numbers, zero, share, units }: OnAxis): Scale {
  const log = axis.type === 'log'
  const named = axis.type === 'category' || (axis.type === undefined && values.some(isName))
  const categories = named ? [...new Set(values.filter((value) => value !== null).map(String))] : null
  const at = (value: Place): number | null => {
    if (value === null) return null
    if (categories) return Math.max(0, categories.indexOf(String(value)))
    const number = Number(value)
    if (log) return number > 0 ? Math.log10(number) : null
    return Number.isFinite(number) ? number : null
  }
  const scale = { log, categories, at }
  if (axis.range?.length === 2) return { ...scale, range: [axis.range[0] as number, axis.range[1] as number] }
  const all = [...values, ...numbers].flatMap((value) => at(value) ?? [])
  if (zero || axis.rangemode === 'tozero') all.push(0)
  let low = all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  let high = all.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  if (all.length === 0) [low, high] = log ? [0, 1] : [0, 1]
  if (categories) [low, high] = [-0.5, Math.max(1, categories.length) - 0.5]
  else if (units > 0) [low, high] = [low - units, high + units]
  else if (low === high)
    [low, high] = log ? [low - 0.3, high + 0.3] : [low - (Math.abs(low) / 2 || 1), high + (Math.abs(low) / 2 || 1)]
  const room = categories || units > 0 ? 0 : (high - low) * share
  const [least, most] = [axis.minallowed ?? Number.NEGATIVE_INFINITY, axis.maxallowed ?? Number.POSITIVE_INFINITY]
  const atZero = (end: number) => end === 0 && (zero || axis.rangemode === 'tozero')
  const floor = axis.rangemode === 'nonnegative' ? Math.max(least, 0) : least
  const range: [number, number] = [
    Math.min(most, Math.max(floor, atZero(low) ? low : low - room)),
    Math.max(floor, Math.min(most, atZero(high) ? high : high + room)),
  ]
  if (range[0] === range[1]) range[1] = range[0] + 1
  return { ...scale, range: axis.autorange === 'reversed' ? [range[1], range[0]] : range }
}

function isName(value: Place): boolean {
  return typeof value === 'string' && (value.trim() === '' || !Number.isFinite(Number(value)))
}

/** About `count` ticks within the range, or those that the axis names. */
export function ticksOf(axis: Axis, scale: Scale, count: number): Tick[] {
  if (axis.showticklabels === false) return []
  const [low, high] = scale.range[0] < scale.range[1] ? scale.range : [scale.range[1], scale.range[0]]
  const within = ({ at }: Tick) => at >= low - (high - low) * 1e-6 && at <= high + (high - low) * 1e-6
  if (axis.tickvals) {
    const ticks = axis.tickvals.flatMap((value, i): Tick[] => {
      const at = scale.at(value)
      return at === null ? [] : [{ at, lines: plainLines(axis.ticktext?.[i] ?? text(Number(value), axis)) }]
    })
    return ticks.filter(within)
  }
  if (scale.categories) return scale.categories.map((name, at) => ({ at, lines: plainLines(name) })).filter(within)
  if (scale.log) return logTicks(axis, low, high, count).filter(within)
  const step = typeof axis.dtick === 'number' ? axis.dtick : null
  const first = step && Math.ceil(low / step)
  const values =
    step && first !== null && (high - low) / step <= 2 * count
      ? Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step)
      : evenTicks(low, high, Math.min(count, axis.nticks ?? count))
  const whole = axis.tickformat === 'd' ? values.filter(Number.isInteger) : values
  return whole.map((at) => ({ at, lines: [text(at, axis)] }))
}

/** Round numbers, two of them at least. */
function evenTicks(low: number, high: number, count: number): number[] {
  const ticks = roundTicks(low, high, count)
  return ticks.length < 2 && count < 12 ? evenTicks(low, high, count + 1) : ticks
}

/** At 1, 2 and 5, at powers, or at even steps within one. */
function logTicks(axis: Axis, low: number, high: number, count: number): Tick[] {
  const tick = (value: number): Tick => ({ at: Math.log10(value), lines: [text(value, axis)] })
  const { dtick } = axis
  if (typeof dtick === 'number' && dtick < 1) {
    const first = Math.ceil(low / dtick - 1e-9)
    const length = Math.floor(high / dtick + 1e-9) - first + 1
    return Array.from({ length }, (_, i) => tick(Number((10 ** ((first + i) * dtick)).toPrecision(9))))
  }
  if (high - low < 0.7 || (typeof dtick === 'string' && dtick.startsWith('L'))) {
    return roundTicks(10 ** low, 10 ** high, count)
      .filter((value) => value > 0)
      .map(tick)
  }
  const decades = Array.from({ length: Math.floor(high) - Math.floor(low) + 1 }, (_, i) => Math.floor(low) + i)
  const factors = dtick === 'D2' && (high - low) * 3 <= count * 1.5 ? [1, 2, 5] : [1]
  const every = Math.max(1, Math.ceil((high - low) / count))
  return decades
    .filter((decade) => decade % every === 0)
    .flatMap((decade) => factors.map((factor) => tick(Number((factor * 10 ** decade).toPrecision(9)))))
}

function text(value: number, { tickformat }: Axis): string {
  return formatted(value, tickformat || (Math.abs(value) >= 1e5 ? '~s' : '~g'))
}
