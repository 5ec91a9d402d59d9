import type { AnyTrace, PlotlyFigure } from '../figure/figure.ts'
import { cornersOf, moved, type Shape } from './drawing.ts'
import { fitted, plainLines, textWidth } from './letters.ts'
import { markerShape, strokeOf } from './marks.ts'

/** Names of series with the look of their marks, in rows. */
export interface Legend {
  shapes: Shape[]
  height: number
}

const SAMPLE = 2.4 // letters
const BETWEEN = 1.2

/** The legend of a figure in so much width; without height where there is nothing to tell apart. */
export function legendOf(
  { data, layout }: PlotlyFigure<AnyTrace>,
  width: number,
  font: number,
  pixel: number,
  color: string,
): Legend {
  const shown = layout.showlegend === false ? [] : data.filter((trace) => trace.type !== 'heatmap' && trace.showlegend)
  if (shown.length === 0) return { shapes: [], height: 0 }
  const line = font * 1.4
  const shapes: Shape[] = []
  let [left, row] = [0, 0]
  const title = plainLines(layout.legend?.title?.text ?? '').join(' ')
  if (title) {
    shapes.push(textAt(fitted(title, font, width / 2), 0, 0, font, layout.legend?.title?.font?.color ?? color))
    left = textWidth(title, font) + font
  }
  for (const trace of shown) {
    if (trace.type === 'heatmap') continue
    const name = fitted(plainLines(trace.name).join(' '), font, width - SAMPLE * font)
    const own = SAMPLE * font + textWidth(name, font)
    if (left > 0 && left + own > width) [left, row] = [0, row + 1]
    const item: Shape[] = [...sampleOf(trace, font, pixel), textAt(name, SAMPLE * font, 0, font, color)]
    shapes.push({ kind: 'series', name: trace.legendgroup ?? trace.name, shapes: moved(item, left, row * line) })
    left += own + BETWEEN * font
  }
  return { shapes: moved(shapes, 0, font), height: (row + 1) * line + font * 0.4 }
}

function textAt(text: string, x: number, y: number, size: number, color: string): Shape {
  return { kind: 'text', text, x, y, size, color, anchor: 'start' }
}

/** What the marks of a trace look like, on the line of the text. */
function sampleOf(trace: Exclude<AnyTrace, { type: 'heatmap' }>, font: number, pixel: number): Shape[] {
  const [left, right, middle] = [0, (SAMPLE - 0.5) * font, -0.33 * font]
  if (trace.type === 'bar') {
    const fill = typeof trace.marker.color === 'string' ? trace.marker.color : (trace.marker.color[0] ?? 'rgb(0, 0, 0)')
    const box = { x: right - font * 0.8, y: middle - font * 0.4, width: font * 0.8, height: font * 0.8 }
    return [
      {
        kind: 'area',
        points: cornersOf(box),
        fill,
        ...(trace.opacity === undefined ? {} : { opacity: trace.opacity }),
      },
    ]
  }
  const { line, marker, mode } = trace
  const lines: Shape[] =
    mode.includes('lines') && line
      ? [
          {
            kind: 'line',
            points: [
              [left, middle],
              [right, middle],
            ],
            stroke: strokeOf(line, pixel),
          },
        ]
      : []
  const fill = typeof marker?.color === 'string' ? marker.color : (line?.color ?? 'rgb(0, 0, 0)')
  return marker && mode.includes('markers')
    ? [...lines, markerShape([(left + right) / 2, middle], marker, fill, pixel)]
    : lines
}
