/** Places on an axis at which the points of runs meet; `scaled` are their logarithms where the axis is logarithmic. */
export interface Places {
  x: Float64Array
  scaled: Float64Array
  /** The number of the place next to a value of the axis: -1 before the first one, `x.length` after the last one. */
  at(x: number): number
}

/** Places at some values, in order; null where there are more than `most` different ones. */
export function placesAt(values: Iterable<number>, most: number, log: boolean): Places | null {
  const numbers = new Map<number, number>()
  for (const value of values) {
    numbers.set(value, 0)
    if (numbers.size > most) return null
  }
  const x = Float64Array.from(numbers.keys()).sort()
  for (const [i, value] of x.entries()) numbers.set(value, i)
  const last = x.at(-1) ?? Number.NaN
  const outside = (value: number) => (value > last ? x.length : -1)
  return { x, scaled: log ? x.map(Math.log) : x, at: (value) => numbers.get(value) ?? outside(value) }
}

/** `count` places at even distances, the first and the last one at the ends of a range. */
export function evenPlaces([from, to]: [from: number, to: number], count: number, log: boolean): Places {
  const [low, high] = log ? [Math.log(from), Math.log(to)] : [from, to]
  const gap = high > low ? (high - low) / Math.max(1, count - 1) : 1
  const scaled = Float64Array.from({ length: high > low ? Math.max(2, count) : 1 }, (_, i) => low + i * gap)
  const x = log ? scaled.map(Math.exp) : scaled
  return {
    x,
    scaled,
    at(value) {
      const place = Math.round(((log ? Math.log(value) : value) - low) / gap)
      return Math.max(-1, Math.min(x.length, place))
    },
  }
}
