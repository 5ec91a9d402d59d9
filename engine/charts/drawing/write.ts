import { toCsv } from '../../display/csv.ts'
import type { Chart } from '../figure/chart.ts'
import { PAGE_HEIGHT, type Paper, pointsOf, sheetOf } from '../figure/paper.ts'
import type { Drawing } from './drawing.ts'
import { letterOf } from './letters.ts'
import { pgfplotsOf } from './pgfplots.ts'
import { drawPages, drawSheet } from './sheet.ts'
import { svgOf } from './svg.ts'

/** What a figure is saved as: the ending of its file. */
export const FORMATS = {
  pdf: 'PDF, with text as text',
  svg: 'SVG, with text as text',
  tex: 'pgfplots, for LaTeX',
  csv: 'the numbers behind it',
} as const

export type FigureFormat = keyof typeof FORMATS

/**
 * A file of charts that were made in the style of this paper, side by side in so many columns, with letters where there
 * are several; a PDF has a page more where one would be too high for paper. Texts of a CSV stay as they are where `raw`. The same charts give the same bytes.
 */
export async function writeFigure(
  charts: readonly Chart[],
  format: FigureFormat,
  paper: Paper,
  columns = 1,
  raw = false,
): Promise<Uint8Array> {
  const sheet = sheetOf(paper)
  const title = charts
    .map((chart) => chart.title)
    .filter(Boolean)
    .join('; ')
  const several = charts.length > 1
  const text = (parts: string[], between: string) => new TextEncoder().encode(parts.join(between))
  switch (format) {
    case 'csv':
      return text(
        charts.map(
          ({ title, columns, rows }, i) =>
            `${several ? `# ${letterOf(i)} ${title.replace(/\s+/g, ' ')}\r\n` : ''}${toCsv(columns, rows, raw)}`,
        ),
        '\r\n',
      )
    case 'tex': {
      const each = { ...sheet, width: sheet.width / Math.min(columns, charts.length) - (several ? sheet.font : 0) }
      return text(
        charts.map((chart, i) => `${several ? `\\textbf{${letterOf(i)}}\n` : ''}${pgfplotsOf(chart, each)}`),
        '\n',
      )
    }
    case 'svg':
      return text(
        [svgOf(drawSheet(charts, sheet, columns), { unit: 'pt', label: title, ground: 'rgb(255, 255, 255)' })],
        '',
      )
    case 'pdf': {
      const { pdfOf } = await import('./pdf.ts') // the library is large
      return pdfOf(pagesOf(charts, paper, columns), title)
    }
  }
}

/** Centimetres that each page of the same charts is high on this paper; of a format other than PDF there is one. */
export function heightsOf(charts: readonly Chart[], format: FigureFormat, paper: Paper, columns = 1): number[] {
  const pages = format === 'pdf' ? pagesOf(charts, paper, columns) : [drawSheet(charts, sheetOf(paper), columns)]
  return pages.map(({ height }) => height / pointsOf(1))
}

function pagesOf(charts: readonly Chart[], paper: Paper, columns: number): Drawing[] {
  return drawPages(charts, sheetOf(paper), columns, pointsOf(PAGE_HEIGHT))
}
