import { confusions } from '../charts/confusion.ts'
import type { Chart } from '../charts/figure/chart.ts'
import { seedStrips } from '../charts/seedStrip.ts'
import { meaningIn } from '../records/meaning.ts'
import type { StoredRun } from '../records/run.ts'
import { metricTitle } from '../records/splits.ts'
import { duration } from '../study/duration.ts'
import { plannedText } from '../study/planned/words.ts'
import { answers } from '../study/questions/answers.ts'
import { leadText } from '../study/questions/lead.ts'
import { sourceNotebookText } from '../study/sourceNotebook.ts'
import { armRows, floorsText, type VerdictsInput, verdicts } from '../study/statistics/index.ts'
import { summarize } from '../study/summary.ts'
import { chartHtml, colourOf, REPORT_STYLE } from './chart.ts'
import type { ReportStudy } from './gather.ts'
import { type Html, html, raw } from './html.ts'
import { modelsHtml } from './models.ts'

/** Digits of a run key that are read at a glance. */
const SHORT_KEY = 12

/** A study: the comparison, its curves, and where each number comes from. */
export function studyHtml(study: ReportStudy): Html {
  const { shown, runs, curves, charts } = study
  const [first, ...others] = curves.map(chartHtml)
  return html`<section class="study"><h3>${shown.study}</h3>
<p class="note">${shown.variants.length} variants, ${runs.length} of ${shown.runs.length} runs in the store${takenNote(study)}</p>
${answerList(study)}${comparison(study)}${sentenceList(verdicts(comparedIn(study)))}${planHtml(study)}${modelsHtml(study.models)}${first ?? null}${others.length > 0 ? html`<details><summary>Other metrics</summary>${others}</details>` : null}${charts.length > 0 ? html`<details><summary>Other charts</summary>${charts.map(chartHtml)}</details>` : null}
${confusionHtml(study.evaluations)}<details class="provenance"><summary>Provenance</summary>${runTable(runs)}${study.examples.map(
    ({ variant, spec }) =>
      html`<details><summary>${variant}: data ${dataOf(spec)}</summary><pre>${JSON.stringify(spec, null, 2)}</pre></details>`,
  )}</details></section>`
}

/** Results of other notebooks are those of their code. */
function takenNote({ runs, notebook }: ReportStudy): string {
  const taken = sourceNotebookText(runs, notebook)
  return taken && `; ${taken}`
}

function comparison(study: ReportStudy): Html {
  const { shown, runs, notebook } = study
  const strips = seedStrips(comparedIn(study))
  const { exploratory, ...meaning } = meaningIn(runs, shown.metric)
  const { arms = [] } = shown
  const beside = armRows(comparedIn(study), shown.variants, meaning)
  const rows = summarize(shown.metric, shown.variants, runs).map(
    ({ variant, n, mean, sd }, index) =>
      html`<tr><th scope="row"><i class="swatch" style="--c: ${colourOf(index)}"></i>${variant}</th>
<td class="number">${mean === null ? '–' : spread(mean, sd)}</td><td class="number">${n}</td>${beside.slice(index, index + 1).map(({ epochs, floor, short }) => html`<td class="number">${epochs}</td><td>${floor}${short && `: ${short}`}</td>`)}<td>${raw(strips.get(variant) ?? '')}</td><td>${sourceNotebookText(
        runs.filter((run) => run.variant === variant),
        notebook,
      )}</td></tr>`,
  )
  return html`<table><thead><tr><th scope="col">variant</th><th scope="col">${metricTitle(shown.metric, shown.metric, exploratory)}, mean ± sd</th><th scope="col">n</th>${arms.length > 0 ? html`<th scope="col">epochs</th><th scope="col">highest floor</th>` : null}<th scope="col">seeds</th><td></td></tr></thead>
<tbody>${rows}</tbody></table>${floorsText(arms, meaning).map((line) => html`<p class="note">${line}</p>`)}`
}

/** The plan, beside what came out. */
function planHtml({ shown: { design } }: ReportStudy): Html | null {
  const text = design?.planned && plannedText(design.planned)
  return text ? html`<p class="note">${text}</p>` : null
}

/** What the study asks, and what came out, in a sentence each. */
function answerList(study: ReportStudy): Html | null {
  const found = answers(comparedIn(study))
  const lead = leadText(found)
  return html`${lead && html`<p><b>${lead}</b></p>`}${sentenceList(found.flatMap(({ findings }) => findings))}`
}

function sentenceList(said: readonly { sentence: string }[]): Html | null {
  return said.length === 0
    ? null
    : html`<ul class="verdicts">${said.map(({ sentence }) => html`<li>${sentence}</li>`)}</ul>`
}

function comparedIn({ shown, baseline, runs, examples, notebook }: ReportStudy): VerdictsInput {
  const { metric, variants, design, arms } = shown
  const specs = new Map(examples.map(({ variant, spec }) => [variant, spec]))
  return {
    metric,
    variants,
    design,
    arms,
    baseline,
    runs: runs.map((run) => ({ ...run, spec: specs.get(run.variant) })),
    seeds: shown.runs.map(({ seed }) => seed),
    notebook,
  }
}

const COLUMNS = ['run', 'key', 'variant', 'seed', 'status', 'steps', 'parameters', 'backend', 'started (UTC)', 'took']

function runTable(runs: StoredRun[]): Html {
  return html`<div class="scroll"><table><thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${runs.map(runRow)}</tbody></table></div>`
}

function runRow(run: StoredRun): Html {
  const { id, key, variant, seed, status, step, steps, parameters, backend, device, startedAt, ms } = run
  const cells = [variant, seed, status, `${step} of ${steps}`, parameters, `${backend}, ${device}`]
  const times = [new Date(startedAt).toISOString().slice(0, 16).replace('T', ' '), duration(ms / 1000)]
  return html`<tr><td>${id}</td><td><code title="${key}">${key.slice(0, SHORT_KEY)}</code></td>${[...cells, ...times].map((text) => html`<td>${text}</td>`)}</tr>`
}

function dataOf(spec: unknown): string {
  const data = typeof spec === 'object' && spec && 'data' in spec ? spec.data : undefined
  return typeof data === 'string' ? data.slice(0, 2 * SHORT_KEY) : 'unknown'
}

function spread(mean: number, sd: number | null): string {
  return sd === null ? mean.toFixed(4) : `${mean.toFixed(4)} ± ${sd.toFixed(4)}`
}

/** What each class was taken for at the last evaluation, for a run of each variant; none where nobody tells. */
export function confusionCharts(evaluations: ReportStudy['evaluations']): Chart[] {
  return evaluations.flatMap(({ run: { id, variant, seed }, report }) =>
    confusions(report, id, REPORT_STYLE).map((chart) => ({
      ...chart,
      title: `${chart.title}: ${variant}, seed ${seed}`,
    })),
  )
}

function confusionHtml(evaluations: ReportStudy['evaluations']): Html | null {
  const matrices = confusionCharts(evaluations)
  return matrices.length > 0
    ? html`<details><summary>Confusion matrices</summary>${matrices.map(chartHtml)}</details>`
    : null
}
