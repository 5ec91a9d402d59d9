import { draw } from '../charts/drawing/draw.ts'
import { plainLines } from '../charts/drawing/letters.ts'
import { drawSheet } from '../charts/drawing/sheet.ts'
import { svgOf } from '../charts/drawing/svg.ts'
import { type Chart, labelOf } from '../charts/figure/chart.ts'
import type { AnyTrace, FigureStyle } from '../charts/figure/figure.ts'
import { paperStyle } from '../charts/figure/paper.ts'
import { type Html, html, raw } from './html.ts'

/** Pixels. */
const SHEET = { width: 760, font: 11, legend: false }

/** As on paper, on the white ground that figures have in a report. */
export const REPORT_STYLE: FigureStyle = {
  ...paperStyle({ width: 20, font: 11 }),
  room: SHEET.width,
  page: Number.POSITIVE_INFINITY,
}

/** Charts as one picture: side by side in so many columns, with letters where there are several. */
export function chartSvg(charts: readonly Chart[], columns = 1): string {
  const label = charts.map(labelOf).join('; ')
  return svgOf(drawSheet(charts, { ...SHEET, legend: true }, columns), { label, ground: REPORT_STYLE.surface })
}

/** The colour of the variant at `index`. */
export function colourOf(index: number): string {
  return REPORT_STYLE.series[index % REPORT_STYLE.series.length] ?? REPORT_STYLE.text
}

/** A chart as SVG with a legend; the script of the page reads values under the pointer from its data. */
export function chartHtml(chart: Chart): Html {
  const drawing = draw(chart, SHEET)
  const { box, series = [] } = drawing.readings ?? { box: null }
  const places = box ? `${box.y} ${box.y + box.height}` : ''
  const svg = svgOf(drawing, { label: labelOf(chart), said: true }).replace(
    /<\/svg>$/,
    '<path class="cursor" d=""/></svg>',
  )
  return html`<figure class="chart" data-chart data-box="${places}">
${chart.title && html`<figcaption>${chart.title}</figcaption>`}${legend(chart)}
${raw(svg)}
<output class="reading" aria-live="off"></output>
${chart.note ? html`<p class="note">${chart.note}</p>` : null}<script type="application/json">${raw(JSON.stringify(series).replaceAll('<', '\\u003c'))}</script>
</figure>`
}

function legend({ figure: { data, layout } }: Chart): Html | null {
  const named = data.filter((trace): trace is Exclude<AnyTrace, { type: 'heatmap' }> => {
    return trace.type !== 'heatmap' && trace.showlegend && layout.showlegend !== false
  })
  if (named.length < 2) return null
  return html`<div class="legend">${named.map((trace) => {
    const color = trace.type === 'bar' ? trace.marker.color : (trace.line?.color ?? trace.marker?.color)
    const shown = typeof color === 'string' ? color : REPORT_STYLE.text
    const style =
      trace.type === 'scatter' && trace.line?.dash && trace.line.dash !== 'solid' ? trace.line.dash : 'solid'
    return html`<label style="--c: ${shown}"><input type="checkbox" checked data-toggle="${trace.legendgroup ?? trace.name}"><i data-dash="${style}"></i>${plainLines(trace.name).join(' ')}</label>`
  })}</div>`
}
