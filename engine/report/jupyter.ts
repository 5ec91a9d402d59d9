import { type JupyterOutput, linesOf } from '../notebook/ipynb/types.ts'
import { meaningIn } from '../records/meaning.ts'
import { metricTitle } from '../records/splits.ts'
import { summarize } from '../study/summary.ts'
import type { ReportCell, ReportData, ReportStudy } from './gather.ts'
import type { ReportModel } from './models.ts'
import type { ShownValue } from './output.ts'
import { imagesPng } from './picture.ts'
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
    ...studies.flatMap((study) => [studyBundle(study), ...study.models.map(modelBundle)]),
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

function modelBundle({ variant, svg, text }: ReportModel): Record<string, unknown> {
  const plain = { 'text/plain': linesOf(`${variant}: ${text}`) }
  return svg === null ? plain : { ...plain, 'image/svg+xml': linesOf(svg) }
}
