import { MixlabError, suggest } from '../../engine/errors.ts'
import type { StoredRun } from '../../engine/records/run.ts'
import { metricTitle } from '../../engine/records/splits.ts'
import { resolveColumn } from '../../engine/runs/column.ts'
import { runsCsv } from '../../engine/runs/csv.ts'
import { defaultColumns } from '../../engine/runs/defaults.ts'
import { quoted } from '../../engine/runs/filter.ts'
import { type TextTable, textTable, toLatex, toMarkdown } from '../../engine/runs/table.ts'
import type { RunsQuery } from '../../engine/runs/types.ts'
import { delay } from '../../engine/study/delay.ts'
import type { LocalHost } from '../host.ts'
import { type Arguments, type CliCommand, RAW, type Terminal, workspaceOf } from './command.ts'
import { withHost } from './given/host.ts'
import { table } from './terminal/table.ts'

const FORMATS = ['table', 'markdown', 'latex', 'csv', 'json']
/** Rows of a table, unless all are asked for. */
const PAGE = 50
const ASKING = ['filter', 'group', 'columns', 'sort', 'format']

export const runs: CliCommand = {
  name: 'runs',
  synopsis: '',
  summary: 'list the runs in the store',
  words: [0, 0],
  options: {
    study: { value: 'S', help: 'only runs of this study' },
    filter: { value: 'Q', help: "only runs that pass, e.g. 'task:mlm lr<1e-3 tag:keep' (docs/runs.md)" },
    group: { help: 'one row per configuration: mean ± sd (n) over its finished runs' },
    columns: { value: 'A,B', help: 'facts, options and metrics, e.g. variant,lr,best:validation/accuracy' },
    sort: { value: 'A,-B', help: 'columns to sort by; a minus in front: the largest first' },
    all: { help: `all of them in a table, and not the first ${PAGE} alone` },
    watch: { help: 'those in training, by pages and processes, as they go, until Ctrl-C' },
    raw: RAW,
    format: { value: 'F', help: `${FORMATS.join(', ')} (default: table)` },
  },
  run: async (given, output) => {
    return withHost(given, async (host) => {
      const { study, watch, json } = given.options
      const other = ASKING.find((name) => given.options[name] !== undefined)
      if (watch && other) throw new MixlabError('option', '--watch', `cannot be used with --${other}`)
      if (watch) await watchRuns(host, study === undefined ? undefined : String(study), json === true, output)
      else if (ASKING.some((name) => given.options[name] !== undefined)) await answer(host, given, output)
      else await list(host, given, output)
      return 0
    })
  },
}

async function list(host: LocalHost, given: Arguments, output: Terminal): Promise<void> {
  const { study, json, all } = given.options
  const paged = !json && !all
  const found = await host.listRuns({
    ...(study !== undefined && { study: String(study) }),
    ...(paged && { limit: PAGE + 1 }),
  })
  if (json) output.out(JSON.stringify(found))
  else if (found.length === 0) output.out(`no runs in ${workspaceOf(given)}`)
  else for (const line of table(HEADER, (paged ? found.slice(0, PAGE) : found).map(cells))) output.out(line)
  if (paged && found.length > PAGE) output.err(`the newest ${PAGE} runs; --all shows all, --filter some`)
}

async function answer(host: LocalHost, given: Arguments, output: Terminal): Promise<void> {
  const { options } = given
  const format = options.json ? 'json' : String(options.format ?? 'table')
  if (!FORMATS.includes(format)) {
    throw new MixlabError('option', '--format', `unknown format '${format}'${suggest(format, FORMATS)}`)
  }
  const fields = await host.runFields()
  const grouped = options.group === true
  const columns = listOf(options.columns) ?? defaultColumns(fields, grouped)
  const query: RunsQuery = {
    filter: `${options.filter ?? ''} ${options.study === undefined ? '' : `study:${quoted(String(options.study))}`}`,
    sort: (listOf(options.sort) ?? []).map((name) => ({
      column: name.replace(/^-/, ''),
      descending: name.startsWith('-'),
    })),
    columns,
    offset: 0,
    limit: format === 'table' && !options.all ? PAGE : Number.MAX_SAFE_INTEGER,
  }
  const { total, rows } = await (grouped ? host.groupRuns(query) : host.queryRuns(query))
  if (format === 'json') {
    const named = rows.map((row) => ({ ...row, values: Object.fromEntries(columns.map((n, i) => [n, row.values[i]])) }))
    output.out(JSON.stringify({ total, rows: named }))
    return
  }
  const values = rows.map((row) => row.values)
  const resolved = columns.map((name) => resolveColumn(name, fields))
  const shown = textTable(resolved, values)
  for (const line of text(format, shown, () => runsCsv(columns, values, options.raw === true))) output.out(line)
  if (rows.length < total) output.err(`the first ${rows.length} of ${total}; --all shows all`)
}

function text(format: string, shown: TextTable, csv: () => string): string[] {
  if (format === 'table') return shown.rows.length ? table(shown.header, shown.rows, shown.numeric) : ['no such runs']
  const whole = format === 'csv' ? csv() : format === 'latex' ? toLatex(shown) : toMarkdown(shown)
  return whole.trimEnd().split(format === 'csv' ? '\r\n' : '\n')
}

function listOf(value: string | boolean | undefined): string[] | undefined {
  return value === undefined ? undefined : String(value).split(',').filter(Boolean)
}

const HEADER = ['id', 'study', 'variant', 'seed', 'status', 'step', 'compared by', 'last', 'backend', 'started']

function cells(run: StoredRun): string[] {
  const [name = '', summary] = Object.entries(run.metrics).find(([, { meaning }]) => meaning?.compared) ?? []
  return [
    String(run.id),
    run.study,
    run.variant,
    String(run.seed),
    run.archived ? `${run.status}, archived` : run.status,
    run.steps > 0 ? `${run.step}/${run.steps}` : '',
    metricTitle(name, name, summary?.meaning?.exploratory),
    summary?.last.toFixed(4) ?? '',
    run.backend,
    new Date(run.startedAt).toISOString().slice(0, 16).replace('T', ' '),
  ]
}

const POLL_MS = 500 // ms

/**
 * Tells of the runs that are in training in the workspace, by whichever page or process, until Ctrl-C: a line when one
 * begins and when it ends, and how far they are on a line that moves. As JSON a line for each change of a run.
 */
async function watchRuns(host: LocalHost, study: string | undefined, json: boolean, to: Terminal): Promise<void> {
  let before = new Map<number, StoredRun>()
  while (!to.signal.aborted) {
    const { running } = await host.listLive()
    const now = new Map(running.flatMap((run) => (study === undefined || run.study === study ? [[run.id, run]] : [])))
    const ended = await host.showRuns([...before.keys()].filter((id) => !now.has(id)))
    const changed = [...now.values()].filter(({ id, step }) => before.get(id)?.step !== step)
    if (json) for (const run of [...ended.map(stored), ...changed]) to.out(JSON.stringify(run))
    else {
      for (const run of changed) if (!before.has(run.id)) to.out(`${nameOf(run)}: in training on ${run.backend}`)
      for (const run of ended) to.out(`${nameOf(run)}: ${endOf(run)}`)
      to.redraw?.([...now.values()].map(progressOf).join('  '))
    }
    before = now
    await delay(POLL_MS, to.signal)
  }
  to.redraw?.('')
}

const nameOf = ({ id, study, variant, seed }: StoredRun) => `run ${id}, ${study}: ${variant}, seed ${seed}`

const progressOf = ({ id, step, steps }: StoredRun) => `run ${id} ${steps > 0 ? `${step}/${steps}` : 'starting'}`

function endOf({ status, error, step, metrics }: StoredRun): string {
  if (status === 'failed') return `failed: ${error}`
  if (status !== 'done') return `${status} at step ${step}`
  const [name, summary] = Object.entries(metrics).find(([, { meaning }]) => meaning?.compared) ?? []
  return name && summary ? `done, ${metricTitle(name)} ${summary.last.toFixed(4)}` : 'done'
}

/** A run without the texts that only its page needs. */
function stored({ spec: _, code: __, ...run }: Awaited<ReturnType<LocalHost['showRuns']>>[number]): StoredRun {
  return run
}
