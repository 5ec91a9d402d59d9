import type { Axis } from './axes.ts'

const DECADES = 3

/** About `count` round numbers from `low` to `high`. */
export function roundTicks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low]
  const step = roundStep((high - low) / count)
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

/** A logarithmic axis over values: marked at 1, 2 and 5, over many decades at 1 alone, within one at even steps of `least` or more. */
export function logAxis(values: number[], least = 0): Axis {
  const [low, high] = values.reduce(
    ([low, high], value) => (value > 0 ? [Math.min(low, value), Math.max(high, value)] : [low, high]),
    [Number.POSITIVE_INFINITY, 0] as [number, number],
  )
  const decades = Math.log10(high / low)
  const even = Math.max(roundStep((high - low) / 4), least)
  const dtick = decades > DECADES ? 1 : decades >= 0.9 ? 'D2' : Number.isFinite(even) && even > 0 ? `L${even}` : 'D2'
  return { type: 'log', dtick, tickformat: low >= 1 ? '~s' : '~g' }
}

/** 1, 2 or 5 times a power of ten, at least `size`. */
export function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= size * 0.999) ?? 10)
}
