import { curves } from '../charts/curves.ts'
import type { Chart, Panel } from '../charts/figure/chart.ts'
import { NAMED_CHARTS } from '../charts/stored/named.ts'
import type { ChartHost, StoredRuns } from '../charts/stored/source.ts'
import type { Host } from '../host.ts'
import type { AttentionMap } from '../nn/attentionMaps.ts'
import { parseNotebook } from '../notebook/parse.ts'
import type { Cell, NotebookFacts } from '../notebook/types.ts'
import { asksNothing } from '../records/design.ts'
import { meaningIn } from '../records/meaning.ts'
import type { RunReport } from '../records/report.ts'
import type { StoredRun, StoredRunDetails } from '../records/run.ts'
import { curveOf } from '../records/splits.ts'
import type { Line } from '../study/align.ts'
import { baselineOf } from '../study/baseline.ts'
import { namedRuns } from '../study/named.ts'
import { REPORT_STYLE } from './chart.ts'
import { type DiagramOf, type ReportModel, reportModels } from './models.ts'
import { readOutput, type ShownOutput, type ShownStudy } from './output.ts'

/** Points of a curve; more than a screen shows are not needed. */
const BUCKETS = 200
/** The most metrics whose curves are in a report. */
const METRICS = 6

/** Charts of several runs, and of what is inside of one. */
const COMPARED = [
  'variants',
  'factor',
  'grid',
  'interaction',
  'options',
  'parameters',
  'macs',
  'depth',
  'dataSize',
  'throughput',
  'evidence',
]
const LOOKED_INTO = ['filters', 'mixing', 'memories', 'relative', 'attention', 'histograms', 'norms']
/** Parameters of a model that is looked into, and charts of a kind: a report stays a file to send. */
const SMALL = 1_000_000
const PANELS = 6

/** All that a report of a notebook shows. */
export interface ReportData {
  name: string
  version: string
  cells: ReportCell[]
}

export interface ReportCell {
  cell: Cell
  output: ShownOutput | null
  /** The output belongs to an earlier text of the cell, or of one that it depends on. */
  stale: boolean
  studies: ReportStudy[]
}

/** A study and what the store knows of it. */
export interface ReportStudy {
  /** The notebook that shows it. */
  notebook: string
  shown: ShownStudy
  /** The variant that the others are compared to. */
  baseline: string
  /** The newest attempt of each run. */
  runs: StoredRun[]
  /** One run of each variant, with its spec. */
  examples: StoredRunDetails[]
  /** The reports of the last evaluation of these runs. */
  evaluations: { run: StoredRun; report: RunReport }[]
  /** Of its metric first. */
  curves: Chart[]
  /** What else can be drawn of its complete runs. */
  charts: Chart[]
  /** Empty where nobody makes them again. */
  models: ReportModel[]
}

/** What a report needs of a host. */
export type ReportHost = Pick<Host, 'describe' | 'readOutputs' | 'baselines' | 'listRuns' | 'showRun'> & ChartHost

/** What makes the models of runs again, for what no store has of them; what is left out is not in the report. */
export interface MadeAgain {
  diagramOf?: DiagramOf
  /** What a run attends to in the first validation example. What it throws costs no report. */
  attentionOf?(run: number): Promise<AttentionMap[]>
}

/**
 * Reads the outputs of a notebook, and the runs that they show, from the store. Evaluates and trains nothing. `analyze` is that of
 * the notebook, or asks another thread.
 */
export async function gatherReport(
  host: ReportHost,
  name: string,
  text: string,
  analyze: (cells: Cell[]) => NotebookFacts | Promise<NotebookFacts>,
  again: MadeAgain = {},
): Promise<ReportData> {
  const cells = parseNotebook(text)
  const facts = new Map((await analyze(cells)).cells.map((known) => [known.id, known]))
  const stored = new Map((await host.readOutputs(name)).map((output) => [output.cell, output]))
  const { version } = await host.describe()
  const reported: ReportCell[] = []
  for (const cell of cells) {
    const known = stored.get(cell.id)
    const output = known ? readOutput(known.output) : null
    const studies: ReportStudy[] = []
    for (const study of output?.studies ?? []) studies.push(await gatherStudy(host, name, study, again))
    const current = cell.kind === 'sql' ? cell.source : facts.get(cell.id)?.fingerprint
    const stale = output !== null && known?.fingerprint !== current
    reported.push({ cell, output, stale, studies })
  }
  return { name, version, cells: reported }
}

async function gatherStudy(
  host: ReportHost,
  notebook: string,
  shown: ShownStudy,
  { diagramOf, attentionOf }: MadeAgain,
): Promise<ReportStudy> {
  const newest = new Map<string, StoredRun>()
  for (const run of await host.listRuns({ keys: shown.runs.map(({ key }) => key) })) {
    if (run.id > (newest.get(run.key)?.id ?? -1)) newest.set(run.key, run)
  }
  const runs = namedRuns(shown.runs, [...newest.values()])
  const examples: StoredRunDetails[] = []
  const evaluations: ReportStudy['evaluations'] = []
  for (const variant of shown.variants) {
    const run = runs.find((each) => each.variant === variant)
    if (!run) continue
    examples.push(await host.showRun(String(run.id)))
    if (shown.design && asksNothing(shown.design)) continue
    const report = await host.readReport(run.id)
    if (report) evaluations.push({ run, report })
  }
  const known = [...new Set(runs.flatMap(({ metrics }) => Object.keys(metrics)))].sort()
  const drawn = known.filter((name) => runs.some(({ metrics }) => (metrics[name]?.count ?? 0) > 1))
  const names = [...new Set([curveOf(shown.metric, known), ...drawn])]
  const drawnCurves: Chart[] = []
  const ids = runs.map(({ id }) => id)
  for (const metric of names.slice(0, METRICS)) {
    const series = await host.readSeries(ids, metric, BUCKETS)
    const lines = series.flatMap(({ run: id, steps, values }) => {
      const run = runs.find((each) => each.id === id)
      return run && steps.length > 0 ? [{ run, steps, values }] : []
    })
    if (lines.length > 0) drawnCurves.push(curveChart(metric, shown.variants, lines))
  }
  const baseline = baselineOf(shown.study, shown.variants, await host.baselines())
  const charts = await chartsOf(host, shown, runs, baseline, attentionOf)
  const models = diagramOf ? await reportModels(examples, baseline, diagramOf) : []
  return { notebook, shown, baseline, runs, examples, evaluations, curves: drawnCurves, charts, models }
}

/** Per variant the mean over its complete runs with a band of one standard deviation; other runs one by one. */
function curveChart(metric: string, variants: string[], lines: ({ run: StoredRun } & Line)[]): Chart {
  const rows = lines.map(({ run, steps, values }) => {
    return { variant: run.variant, seed: run.seed, run: run.id, done: run.status === 'done', steps, values }
  })
  const runs = lines.map(({ run }) => run)
  return curves(rows, { metric, meaning: meaningIn(runs, metric), variants }, REPORT_STYLE)
}

/** Those of stored runs that are not in a report otherwise, of which several are compared, or one is small enough to look into. */
async function chartsOf(
  host: ReportHost,
  shown: ShownStudy,
  runs: StoredRun[],
  baseline: string,
  attentionOf: MadeAgain['attentionOf'],
): Promise<Chart[]> {
  const done = runs.filter(({ status }) => status === 'done')
  const metrics = [...new Set(done.flatMap((run) => Object.keys(run.metrics)))].sort()
  const stored: StoredRuns = {
    ...{ host, study: shown.study, variants: shown.variants, baseline, metric: shown.metric },
    runs: done,
    design: shown.design ?? null,
    meanings: Object.fromEntries(metrics.map((name) => [name, meaningIn(done, name)])),
    attention: attentionOf && ((run) => attentionOf(run).catch(() => [])),
  }
  const small = { ...stored, runs: done.filter(({ parameters }) => parameters <= SMALL) }
  const panels: Panel[] = []
  for (const name of done.length > 1 ? COMPARED : []) panels.push(...((await NAMED_CHARTS[name]?.panels(stored)) ?? []))
  for (const name of LOOKED_INTO) panels.push(...((await NAMED_CHARTS[name]?.panels(small)) ?? []).slice(0, PANELS))
  return panels.map((panel) => panel(REPORT_STYLE)).filter(({ rows }) => rows.length > 0)
}
