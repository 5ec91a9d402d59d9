import { basename, relative, resolve } from 'node:path'
import type { Panel } from '../../../engine/charts/figure/chart.ts'
import { NAMED_CHARTS } from '../../../engine/charts/stored/named.ts'
import type { StoredRuns } from '../../../engine/charts/stored/source.ts'
import { MixlabError, suggest } from '../../../engine/errors.ts'
import { meaningIn } from '../../../engine/records/meaning.ts'
import type { StoredRun } from '../../../engine/records/run.ts'
import { shownFigures } from '../../../engine/report/figures.ts'
import { readOutput } from '../../../engine/report/output.ts'
import { baselineOf } from '../../../engine/study/baseline.ts'
import type { LocalHost } from '../../host.ts'
import { isNotebookName } from '../../workspace/notebook-name.ts'
import { notebookAt } from '../training/readNotebook.ts'

/** Charts by name. */
export interface ChartSource {
  /** What each shows. */
  names: Record<string, string>
  /** How many panels stand side by side, where a figure says so. */
  columns(name: string): number | null
  /** None where there is nothing of the kind. Throws MixlabError `option` for an unknown name. */
  panels(name: string): Promise<Panel[]>
  /** The charts whose layers can be chosen. */
  layered: string[]
  /** Those of a validation example, which can be chosen. */
  ofExample: string[]
  /** How charts of such names come to fewer panels. */
  fewer(names: string[]): string
}

/** What of stored runs charts show. */
export interface ChosenCharts extends Pick<StoredRuns, 'layers' | 'attention'> {
  metric: string | undefined
}

/** The charts of what a word names: a notebook, a run or a study. Throws MixlabError for what is not there. */
export async function chartSource(
  host: LocalHost,
  word: string,
  chosen: ChosenCharts,
  workspace: string,
): Promise<ChartSource> {
  if (isNotebookName(basename(word))) return ofNotebook(host, word, workspace)
  return ofRuns(host, await runsOf(host, word), chosen)
}

async function ofNotebook(host: LocalHost, path: string, workspace: string): Promise<ChartSource> {
  await notebookAt(path)
  const name = relative(resolve(workspace), resolve(path))
  const stored = await host.readOutputs(name)
  const outputs = stored.flatMap(({ cell, output }) => {
    const read = readOutput(output)
    return read ? [{ cell, output: read }] : []
  })
  const figures = shownFigures(outputs)
  if (figures.length === 0) {
    throw new MixlabError('option', path, 'has shown no figure yet; run it in the page, or name a study or a run')
  }
  const names = [...new Set(figures.map(({ name }) => name))]
  return {
    names: Object.fromEntries(names.map((name) => [name, 'of a cell'])),
    columns: (name) => figures.find((figure) => figure.name === name)?.columns ?? null,
    panels: async (name) => {
      known(name, names)
      return figures.flatMap((figure) => (figure.name === name ? figure.panels : []))
    },
    layered: [],
    ofExample: [],
    fewer: () => 'name fewer figures',
  }
}

async function runsOf(host: LocalHost, word: string): Promise<StoredRun[]> {
  const all = await host.listRuns()
  const study = all.filter((run) => run.study === word)
  const found = study.length > 0 ? newest(study) : /^\d+$/.test(word) ? [await host.showRun(word)] : []
  const done = found.filter(({ status }) => status === 'done')
  if (done.length > 0) return done
  if (found.length > 0) throw new MixlabError('option', word, 'no run is complete yet, so there is nothing to draw')
  const studies = [...new Set(all.map((run) => run.study))]
  throw new MixlabError(
    'option',
    word,
    studies.length > 0 ? `no such study${suggest(word, studies)}` : 'the store has no runs',
  )
}

/** Of the runs of a variant and seed the one that was started last. */
function newest(runs: StoredRun[]): StoredRun[] {
  const last = new Map(
    runs.toSorted((a, b) => a.id - b.id).map((run) => [JSON.stringify([run.variant, run.seed]), run]),
  )
  return [...last.values()].sort((a, b) => a.id - b.id)
}

async function ofRuns(
  host: LocalHost,
  runs: StoredRun[],
  { metric: asked, ...chosen }: ChosenCharts,
): Promise<ChartSource> {
  const [design = null] = (await host.designsOf(runs.map(({ key }) => key))).filter(
    ({ study }) => study === runs[0]?.study,
  )
  const metrics = [...new Set(runs.flatMap((run) => Object.keys(run.metrics)))].sort()
  if (asked !== undefined && !metrics.includes(asked)) {
    throw new MixlabError('option', '--metric', `unknown metric '${asked}'${suggest(asked, metrics)}`)
  }
  const planned = design?.variants.map(({ variant }) => variant) ?? []
  const named = [...new Set(runs.map(({ variant }) => variant))]
  const variants = [
    ...planned.filter((name) => named.includes(name)),
    ...named.filter((name) => !planned.includes(name)),
  ]
  const layered = Object.keys(NAMED_CHARTS).filter((name) => NAMED_CHARTS[name]?.layered)
  const study = runs[0]?.study ?? ''
  const stored: StoredRuns = {
    ...{ host, study, runs, variants, design, ...chosen },
    baseline: baselineOf(study, variants, await host.baselines()),
    metric: asked ?? design?.metric ?? metrics.find((name) => name.startsWith('test/')) ?? metrics[0] ?? '',
    meanings: Object.fromEntries(metrics.map((name) => [name, meaningIn(runs, name)])),
  }
  return {
    names: Object.fromEntries(Object.entries(NAMED_CHARTS).map(([name, { words }]) => [name, words])),
    columns: () => null,
    panels: async (name) => {
      known(name, Object.keys(NAMED_CHARTS))
      return (await NAMED_CHARTS[name]?.panels(stored)) ?? []
    },
    layered,
    ofExample: chosen.attention ? ['attention'] : [],
    fewer: (names) =>
      [
        ...(names.some((name) => layered.includes(name)) ? ['choose --layers'] : []),
        ...(variants.length > 1 ? ['name a run in place of the study'] : []),
        ...(names.length > 1 ? ['name fewer charts'] : []),
        'put more of them side by side with --columns and --width',
      ].join(', or '),
  }
}

function known(name: string, names: string[]): void {
  if (!names.includes(name))
    throw new MixlabError('option', '--chart', `unknown chart '${name}'${suggest(name, names)}`)
}
