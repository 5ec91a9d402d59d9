import type { SeriesPiece } from './levels.ts'
import type { Places } from './places.ts'

/** A run at each of some places: the mean of its points there, the smallest and the largest of them; NaN for none. */
export interface PlacedSeries {
  values: Float64Array
  min: Float64Array
  max: Float64Array
}

/**
 * Brings a series to some places, each of its steps being `perStep` of the axis. Between places with points the value is
 * on the straight line; before the first and after the last point, and beside what is not a finite number, there is none.
 */
export function placed(pieces: SeriesPiece[], perStep: number, places: Places): PlacedSeries {
  const size = places.x.length
  const blank = () => new Float64Array(size).fill(Number.NaN)
  const [values, min, max] = [blank(), blank(), blank()]
  const [points, numbers] = [new Uint32Array(size), new Uint32Array(size)]
  const outside = { before: null, after: null } as Record<'before' | 'after', End | null>

  function add(x: number, sum: number, count: number, low: number, high: number): void {
    const place = places.at(x)
    const finite = count > 0 && Number.isFinite(sum)
    if (place < 0) outside.before = { x, value: finite ? sum / count : Number.NaN }
    else if (place >= size) outside.after ??= { x, value: finite ? sum / count : Number.NaN }
    else {
      points[place] = 1
      if (!finite) return
      const before = numbers[place] ?? 0
      values[place] = (before > 0 ? (values[place] ?? 0) : 0) + sum
      numbers[place] = before + count
      if (!(low >= (min[place] ?? Number.NaN))) min[place] = low
      if (!(high <= (max[place] ?? Number.NaN))) max[place] = high
    }
  }

  for (const piece of pieces) {
    if ('entries' in piece) {
      for (const { firstStep, lastStep, sum, numbers, min, max } of piece.entries) {
        add(((firstStep + lastStep) / 2) * perStep, sum, numbers, min, max)
      }
    } else {
      const { steps, values } = piece.points
      for (let i = 0; i < steps.length; i++) {
        const value = values[i] ?? Number.NaN
        add((steps[i] ?? Number.NaN) * perStep, value, 1, value, value)
      }
    }
  }
  for (let i = 0; i < size; i++) {
    const count = numbers[i] ?? 0
    if (count > 0) values[i] = (values[i] ?? Number.NaN) / count
  }
  fillGaps({ values, min, max }, points, places, outside)
  return { values, min, max }
}

/** The point next to the places, outside of them. */
interface End {
  x: number
  value: number
}

function fillGaps(
  { values, min, max }: PlacedSeries,
  points: Uint32Array,
  { x, scaled }: Places,
  { before, after }: Record<'before' | 'after', End | null>,
): void {
  const isLog = x !== scaled
  const scale = (value: number) => (isLog ? Math.log(value) : value)
  let [from, known] = [before ? scale(before.x) : Number.NaN, before?.value ?? Number.NaN]
  let start = 0
  for (let i = 0; i <= x.length; i++) {
    if (i < x.length && points[i] === 0) continue
    const to = i < x.length ? (scaled[i] ?? Number.NaN) : after ? scale(after.x) : Number.NaN
    const value = i < x.length ? (values[i] ?? Number.NaN) : (after?.value ?? Number.NaN)
    for (let gap = start; gap < i; gap++) {
      const between = known + ((value - known) * ((scaled[gap] ?? 0) - from)) / (to - from)
      values[gap] = between
      min[gap] = between
      max[gap] = between
    }
    ;[from, known, start] = [to, value, i + 1]
  }
}
