import { heatmapOf } from '../../engine/display/heatmap.ts'
import { plot } from '../../engine/display/plot.ts'
import { jsonNumber } from '../../engine/display/read.ts'
import { extremes } from '../../engine/display/thin.ts'
import type { Figure } from '../../engine/display/types.ts'
import type { TensorBody } from '../protocol/body.ts'

/** A tensor, seen from outside: anything with a shape, a dtype and synchronous data. */
export interface TensorLike {
  shape: number[]
  dtype: string
  dataSync(): ArrayLike<number>
}

/** Up to so many rows and columns, numbers are shown as such. */
const TABLE = 12
/** Points of the line that a long tensor with one axis is. */
const LINE = 1000
/** Rows and columns of the heatmap that a large one with two axes is. */
const HEATMAP = 64

/** The extent of a tensor's values and, with one or two axes, a table or figure of them. Its size has a bound. */
export function tensorBody({ shape, dtype }: TensorLike, values: ArrayLike<number>): TensorBody {
  const digits = dtype === 'float32' ? 7 : 10 // all that float32 has; all of int32
  return { type: 'tensor', ...extent(values, digits), figure: figureOf(shape, values, digits) }
}

/** Smallest, largest and mean of the finite values, and how many are not finite. */
function extent(values: ArrayLike<number>, digits: number): Pick<TensorBody, 'min' | 'max' | 'mean' | 'notFinite'> {
  let [min, max, sum, notFinite] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0]
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN
    if (!Number.isFinite(value)) notFinite++
    else {
      if (value < min) min = value
      if (value > max) max = value
      sum += value
    }
  }
  return {
    min: jsonNumber(min, digits),
    max: jsonNumber(max, digits),
    mean: jsonNumber(sum / (values.length - notFinite)),
    notFinite,
  }
}

function figureOf(shape: number[], values: ArrayLike<number>, digits: number): Figure | null {
  const [first = 0, second = 1] = shape
  if (values.length === 0 || shape.length < 1 || shape.length > 2) return null
  if (shape.length === 1 && first > TABLE) {
    const places = extremes(values, LINE)
    const line = plot.line({
      x: places,
      y: places.map((place) => jsonNumber(values[place] ?? null, digits)),
      xLabel: 'index',
    })
    return places.length < first ? { ...line, note: `${places.length} of ${first} values` } : line
  }
  const [rows, columns] = shape.length === 1 ? [1, first] : [first, second]
  const at = (row: number, column: number) => values[row * columns + column] ?? null
  if (rows <= TABLE && columns <= TABLE) {
    const counted = (count: number) => Array.from({ length: count }, (_, i) => i)
    const cells = counted(rows).map((row) => counted(columns).map((column) => jsonNumber(at(row, column), digits)))
    return { type: 'table', columns: counted(columns).map(String), rows: cells, total: rows }
  }
  return heatmapOf({ height: rows, width: columns, at }, HEATMAP)
}
