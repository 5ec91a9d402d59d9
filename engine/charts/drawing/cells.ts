import type { Place } from '../figure/axes.ts'
import type { HeatmapTrace } from '../figure/figure.ts'
import { type Box, cornersOf, type Shape } from './drawing.ts'
import { plainLines, textWidth } from './letters.ts'
import { colourAt, type Placed, share } from './marks.ts'

/** More cells than this are one picture. */
const SHAPES = 600

/** The edges of the cells of a matrix, in values of its axes: columns from the left, rows from the first. */
export function edgesOf(trace: HeatmapTrace, at: { x(value: Place): number | null; y(value: Place): number | null }) {
  const columns = Math.max(0, ...trace.z.map((row) => row.length))
  return {
    x: edges(placesOf(trace.x, trace.x0, columns, at.x)),
    y: edges(placesOf(trace.y, trace.y0, trace.z.length, at.y)),
  }
}

function placesOf(given: Place[] | undefined, first = 0, count: number, at: (value: Place) => number | null): number[] {
  if (given) return given.map((value) => at(value) ?? 0)
  return Array.from({ length: count }, (_, i) => first + i)
}

function edges(middles: number[]): number[] {
  const [first = 0, second = first + 1] = middles
  const last = middles.at(-1) ?? first
  const before = middles.at(-2) ?? last - 1
  if (middles.length < 2) return [first - 0.5, first + 0.5]
  const between = middles.slice(1).map((middle, i) => (middle + (middles[i] as number)) / 2)
  return [first - (second - first) / 2, ...between, last + (last - before) / 2]
}

/** The lowest and the highest value of the colours. */
export function colourRange({ z, zmin, zmax, zmid }: HeatmapTrace): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of z.flat()) {
    if (value === null) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) [low, high] = [0, 1]
  if (zmid !== undefined) {
    const reach = Math.max(high - zmid, zmid - low)
    ;[low, high] = [zmid - reach, zmid + reach]
  }
  return [zmin ?? low, zmax ?? high]
}

/** A matrix in colours, with texts in its cells where all of them have the room. */
export function cellShapes(
  trace: HeatmapTrace,
  places: { x: number[]; y: number[] },
  at: Placed,
  font: number,
): Shape[] {
  const { z, colorscale, xgap = 0, ygap = 0, text, texttemplate, textfont } = trace
  const range = colourRange(trace)
  const columns = places.x.length - 1
  const boxOf = (column: number, row: number): Box => {
    const xs = [places.x[column] as number, places.x[column + 1] as number]
    const ys = [places.y[row] as number, places.y[row + 1] as number]
    const [gapX, gapY] = [xgap * at.pixel, ygap * at.pixel]
    return {
      x: Math.min(...xs) + gapX / 2,
      y: Math.min(...ys) + gapY / 2,
      width: Math.abs((xs[1] as number) - (xs[0] as number)) - gapX,
      height: Math.abs((ys[1] as number) - (ys[0] as number)) - gapY,
    }
  }
  const colour = (value: number) => colourAt(colorscale, share(value, range[0], range[1]))
  if (z.length * columns > SHAPES && isEven(places.x) && isEven(places.y)) return [picture(trace, places, colour)]
  const said = (row: number, column: number) => text?.[row]?.[column] ?? trace.hovertext?.[row]?.[column]
  const cells = z.flatMap((values, row) =>
    values.flatMap((value, column): Shape[] => {
      if (value === null) return []
      const words = said(row, column)
      return [
        {
          kind: 'area',
          points: cornersOf(boxOf(column, row)),
          fill: `rgb(${colour(value).join(', ')})`,
          said: `${words ? `${plainLines(words).join(' ')}: ` : ''}${Number(value.toPrecision(4))}`,
        },
      ]
    }),
  )
  if (!texttemplate || !text) return cells
  const texts = text.flatMap((row, i) =>
    row.map((words, j) => ({ words: plainLines(words).join(' '), box: boxOf(j, i) })),
  )
  const fits = texts.every(({ words, box }) => textWidth(words, font) <= box.width - 1 && font <= box.height)
  if (!fits) return cells
  return [
    ...cells,
    ...texts.flatMap(({ words, box }): Shape[] =>
      words === ''
        ? []
        : [
            {
              kind: 'text',
              text: words,
              x: box.x + box.width / 2,
              y: box.y + box.height / 2 + font * 0.36,
              size: font,
              anchor: 'middle',
              color: textfont?.color ?? 'rgb(0, 0, 0)',
            },
          ],
    ),
  ]
}

function isEven(places: number[]): boolean {
  const [first = 0, second = 0] = places
  return places.every(
    (place, i) =>
      i === 0 || Math.abs(place - (places[i - 1] as number) - (second - first)) < 1e-3 * Math.abs(second - first),
  )
}

/** A byte each for red, green, blue and how much is seen, the upper row first; what has no value is not seen. */
function picture(
  { z }: HeatmapTrace,
  { x, y }: { x: number[]; y: number[] },
  colour: (value: number) => number[],
): Shape {
  const [columns, rows] = [x.length - 1, y.length - 1]
  const rgba = new Uint8Array(columns * rows * 4)
  const [flippedX, flippedY] = [(x[0] as number) > (x[1] as number), (y[0] as number) > (y[1] as number)]
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = z[flippedY ? rows - 1 - row : row]?.[flippedX ? columns - 1 - column : column] ?? null
      if (value === null) continue
      rgba.set([...colour(value), 255], 4 * (row * columns + column))
    }
  }
  const ends = [x[0] as number, x.at(-1) as number, y[0] as number, y.at(-1) as number] as const
  const box = {
    x: Math.min(ends[0], ends[1]),
    y: Math.min(ends[2], ends[3]),
    width: Math.abs(ends[1] - ends[0]),
    height: Math.abs(ends[3] - ends[2]),
  }
  return { kind: 'image', box, columns, rows, rgba }
}
