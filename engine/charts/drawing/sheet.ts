import type { Chart } from '../figure/chart.ts'
import { draw, type Sheet } from './draw.ts'
import { type Drawing, moved, type Shape } from './drawing.ts'
import { letterOf } from './letters.ts'

/** Letters between panels. */
const BETWEEN = 1.5
const HEAD = 1.5

/** Panels side by side. */
interface Row {
  shapes: Shape[]
  height: number
}

/** Several charts on one sheet, in so many columns, each with its letter: (a), (b) and so on. One chart has none. */
export function drawSheet(charts: readonly Chart[], sheet: Sheet, columns = 1): Drawing {
  return stacked(rowsOf(charts, sheet, columns), sheet)
}

/** The same on as many sheets as it takes for none to be higher than `most` points, where no row of panels is. */
export function drawPages(charts: readonly Chart[], sheet: Sheet, columns: number, most: number): Drawing[] {
  const pages: Row[][] = []
  for (const row of rowsOf(charts, sheet, columns)) {
    const last = pages.at(-1)
    if (last && stacked([...last, row], sheet).height <= most) last.push(row)
    else pages.push([row])
  }
  return pages.map((rows) => stacked(rows, sheet))
}

function stacked(rows: readonly Row[], { width, font }: Sheet): Drawing {
  const shapes: Shape[] = []
  let top = 0
  for (const row of rows) {
    shapes.push(...(top > 0 ? moved(row.shapes, 0, top) : row.shapes))
    top += row.height + BETWEEN * font
  }
  return { width, height: top - BETWEEN * font, shapes }
}

function rowsOf(charts: readonly Chart[], sheet: Sheet, columns: number): Row[] {
  const [only] = charts
  if (only && charts.length === 1) return [draw(only, sheet)]
  const { width, font } = sheet
  const across = Math.min(columns, charts.length)
  const each = (width - (across - 1) * BETWEEN * font) / across
  const rows: Row[] = []
  for (let i = 0; i < charts.length; i += across) {
    const row = charts.slice(i, i + across).map((chart, k) => {
      const left = k * (each + BETWEEN * font)
      const drawn = draw(chart, { ...sheet, width: each })
      const letter: Shape = {
        kind: 'text',
        text: letterOf(i + k),
        x: left,
        y: font,
        size: font,
        color: 'rgb(0, 0, 0)',
        anchor: 'start',
        bold: true,
      }
      return { shapes: [letter, ...moved(drawn.shapes, left, HEAD * font)], height: drawn.height }
    })
    const height = Math.max(...row.map((panel) => panel.height)) + HEAD * font
    rows.push({ shapes: row.flatMap(({ shapes }) => shapes), height })
  }
  return rows
}
