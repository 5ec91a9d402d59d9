import type { Chart } from '../figure/chart.ts'
import { draw, type Sheet } from './draw.ts'
import { type Drawing, moved, type Shape } from './drawing.ts'
import { letterOf } from './letters.ts'

/** Letters between panels. */
const BETWEEN = 1.5
const HEAD = 1.5

/** Several charts on one sheet, in so many columns, each with its letter: (a), (b) and so on. One chart has none. */
export function drawSheet(charts: readonly Chart[], sheet: Sheet, columns = 1): Drawing {
  const [only] = charts
  if (only && charts.length === 1) return draw(only, sheet)
  const { width, font } = sheet
  const across = Math.min(columns, charts.length)
  const each = (width - (across - 1) * BETWEEN * font) / across
  const shapes: Shape[] = []
  let top = 0
  for (let i = 0; i < charts.length; i += across) {
    const row = charts.slice(i, i + across).map((chart, k) => {
      const left = k * (each + BETWEEN * font)
      const drawn = draw(chart, { ...sheet, width: each })
      const letter: Shape = {
        kind: 'text',
        text: letterOf(i + k),
        x: left,
        y: top + font,
        size: font,
        color: 'rgb(0, 0, 0)',
        anchor: 'start',
        bold: true,
      }
      return { shapes: [letter, ...moved(drawn.shapes, left, top + HEAD * font)], height: drawn.height }
    })
    shapes.push(...row.flatMap((panel) => panel.shapes))
    top += Math.max(...row.map(({ height }) => height)) + (HEAD + BETWEEN) * font
  }
  return { width, height: top - BETWEEN * font, shapes }
}
