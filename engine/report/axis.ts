/** A straight map from values to places. */
export interface Axis {
  place(value: number): number
  ticks: { value: number; text: string }[]
}

/** An axis that has all of `values`, from `from` to `to`, with ticks at round numbers. `zero`: 0 is on it. */
export function axis(values: number[], from: number, to: number, zero = false): Axis {
  const finite = values.filter(Number.isFinite)
  const all = zero || finite.length === 0 ? [...finite, 0] : finite
  let low = all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  let high = all.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  if (low === high) {
    const room = Math.abs(low) / 2 || 1
    low -= zero && low === 0 ? 0 : room
    high += room
  }
  const step = roundStep((high - low) / 5)
  const first = Math.ceil(low / step - 1e-9)
  const count = Math.floor(high / step + 1e-9) - first + 1
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  const ticks = Array.from({ length: count }, (_, index) => {
    const value = (first + index) * step
    return { value, text: tickText(value, digits) }
  })
  return { place: (value) => from + ((value - low) / (high - low)) * (to - from), ticks }
}

/** 1, 2 or 5 times a power of ten, at least `size`. */
export function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= size * 0.999) ?? 10)
}

function tickText(value: number, digits: number): string {
  if (value !== 0 && (Math.abs(value) >= 1e6 || digits > 6)) return value.toExponential(1)
  return value.toFixed(digits).replace(/^-(0(?:\.0+)?)$/, '$1')
}
