import { roundStep } from '../charts/figure/ticks.ts'
import type { MetricMeaning } from '../records/meaning.ts'

/** A straight map from values to places. */
export interface Axis {
  place(value: number): number
  ticks: { value: number; text: string }[]
}

export interface AxisOptions {
  /** 0 is on it. */
  zero?: boolean
  /** Neither the axis nor what is placed on it goes beyond. */
  bounds?: MetricMeaning['bounds'] | undefined
}

/** An axis that has all of `values` within its bounds, from `from` to `to`, with ticks at round numbers. */
export function reportAxis(
  values: number[],
  from: number,
  to: number,
  { zero = false, bounds }: AxisOptions = {},
): Axis {
  const [least, most] = [bounds?.[0] ?? Number.NEGATIVE_INFINITY, bounds?.[1] ?? Number.POSITIVE_INFINITY]
  const within = (value: number) => Math.min(most, Math.max(least, value))
  const finite = values.filter(Number.isFinite).map(within)
  const all = zero || finite.length === 0 ? [...finite, 0] : finite
  let low = all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  let high = all.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  if (low === high) {
    const room = Math.abs(low) / 2 || 1
    low = within(low - (zero && low === 0 ? 0 : room))
    high = within(high + room)
  }
  const step = roundStep((high - low) / 5)
  const first = Math.ceil(low / step - 1e-9)
  const count = Math.floor(high / step + 1e-9) - first + 1
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  const ticks = Array.from({ length: count }, (_, index) => {
    const value = (first + index) * step
    return { value, text: tickText(value, digits) }
  })
  return { place: (value) => from + ((within(value) - low) / (high - low)) * (to - from), ticks }
}

function tickText(value: number, digits: number): string {
  if (value !== 0 && (Math.abs(value) >= 1e6 || digits > 6)) return value.toExponential(1)
  return value.toFixed(digits).replace(/^-(0(?:\.0+)?)$/, '$1')
}
