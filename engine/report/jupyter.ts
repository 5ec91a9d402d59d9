import { letterOf } from '../charts/drawing/letters.ts'
import type { Chart } from '../charts/figure/chart.ts'
import { shownCharts } from '../charts/shown.ts'
import { type JupyterOutput, linesOf } from '../notebook/ipynb/types.ts'
import { meaningIn } from '../records/meaning.ts'
import { metricTitle } from '../records/splits.ts'
import { summarize } from '../study/summary.ts'
import { chartSvg, REPORT_STYLE } from './chart.ts'
import type { ReportCell, ReportData, ReportStudy } from './gather.ts'
import type { ReportModel } from './models.ts'
import type { ShownValue } from './output.ts'
import { imagesPng } from './picture.ts'
import { confusionCharts } from './study.ts'
import { tableHtml } from './values.ts'

/** What the cells of a report showed, by cell id, as Jupyter shows it: text, tables and pictures. */
export function jupyterOutputs({ cells }: ReportData): Map<string, JupyterOutput[]> {
  return new Map(cells.map((each) => [each.cell.id, outputsOf(each)]))
}

function outputsOf({ output, studies }: ReportCell): JupyterOutput[] {
  if (!output) return []
  const { console, displays, value, error } = output
  const streams = console.map(({ level, text }): JupyterOutput => {
    const name = level === 'log' ? 'stdout' : 'stderr'
    return { output_type: 'stream', name, text: linesOf(`${text}\n`) }
  })
  const shown = [
    ...displays.flatMap(bundles),
    ...studies.flatMap((study) => [
      studyBundle(study),
      ...study.models.flatMap(modelBundles),
      ...[...study.curves, ...study.charts, ...confusionCharts(study.evaluations)].flatMap((chart) =>
        chartBundles([chart]),
      ),
    ]),
  ]
  return [
    ...streams,
    ...shown.map((data): JupyterOutput => ({ output_type: 'display_data', data, metadata: {} })),
    ...(value ? bundles(value) : []).map(
      (data): JupyterOutput => ({ output_type: 'execute_result', data, metadata: {}, execution_count: null }),
    ),
    ...(error
      ? [{ output_type: 'error' as const, ename: 'Error', evalue: error.message, traceback: [error.message] }]
      : []),
  ]
}

function bundles({ text, body }: ShownValue): Record<string, unknown>[] {
  const plain = { 'text/plain': linesOf(text) }
  const drawn = body?.type === 'tensor' ? body.figure : body
  if (drawn?.type === 'marks' || drawn?.type === 'heatmap' || drawn?.type === 'panels') {
    const charts = shownCharts(drawn, REPORT_STYLE)
    return drawn.type === 'panels' ? chartBundles(charts, drawn.columns, drawn.title) : chartBundles(charts)
  }
  if (body?.type === 'table') return [{ ...plain, 'text/html': linesOf(tableHtml(body).html) }]
  if (body?.type === 'images') return imagesPng(body).map((png) => ({ ...plain, 'image/png': png }))
  return [plain]
}

function studyBundle({ shown, runs }: ReportStudy): Record<string, unknown> {
  const { exploratory } = meaningIn(runs, shown.metric)
  const columns = ['variant', `${metricTitle(shown.metric, shown.metric, exploratory)}, mean`, 'sd', 'n']
  const rows = summarize(shown.metric, shown.variants, runs).map(({ variant, mean, sd, n }) => [variant, mean, sd, n])
  const text = [columns, ...rows].map((row) => row.map((value) => value ?? '-').join('\t')).join('\n')
  return {
    'text/plain': linesOf(`${shown.study}\n${text}`),
    'text/html': linesOf(tableHtml({ type: 'table', columns, rows, total: rows.length }).html),
  }
}

/** A picture below its words, which no picture shows; a reader without pictures has the words. */
function pictured(words: string, svg: string): Record<string, unknown>[] {
  const plain = { 'text/plain': linesOf(words) }
  return [...(words ? [plain] : []), { ...plain, 'image/svg+xml': linesOf(svg) }]
}

/** Charts as one picture, of that title where they are panels. */
function chartBundles(charts: readonly Chart[], columns = 1, title: string | null = null): Record<string, unknown>[] {
  const letter = (i: number) => (charts.length > 1 ? `${letterOf(i)} ` : '')
  const words = charts.flatMap(({ title, note }, i) =>
    title || note ? [`${letter(i)}${[title, note].filter(Boolean).join('. ')}`] : [],
  )
  return pictured([...(title ? [title] : []), ...words].join('\n'), chartSvg(charts, columns))
}

function modelBundles({ variant, svg, text }: ReportModel): Record<string, unknown>[] {
  const words = `${variant}: ${text}`
  return svg === null ? [{ 'text/plain': linesOf(words) }] : pictured(words, svg)
}
