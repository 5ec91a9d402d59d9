import { chosenText } from '../../../engine/study/backends/times.ts'
import { lostVariant } from '../../../engine/study/failures.ts'
import { cellError } from '../../protocol/error.ts'
import type { BackendReport, EvaluateResult } from '../../protocol/kernel.ts'
import type { CellOutputView, ConsoleLine, ValueView } from '../../protocol/output.ts'
import type { SentEvent } from '../../protocol/runPoints.ts'
import { reduceStudy, type StudyView } from '../../protocol/study.ts'

/** What a cell shows after events of one of its studies. */
export function shownAfter(output: CellOutputView, study: string, events: SentEvent[]): CellOutputView {
  return {
    ...output,
    console: [...output.console, ...events.flatMap(saidBy)],
    studies: changeStudy(output.studies, study, events),
  }
}

/** What it shows after lines, or values, of its own. */
export function printed(output: CellOutputView, lines: ConsoleLine[]): CellOutputView {
  return { ...output, console: [...output.console, ...lines] }
}
export function displayed(output: CellOutputView, values: ValueView[]): CellOutputView {
  return { ...output, displays: [...output.displays, ...values] }
}

/** What it shows once it has ended, after `ms`; a study that has lost all runs of a variant has failed; fewer failed runs stand in the status. */
export function endedWith(output: CellOutputView, result: EvaluateResult, ms: number | null): CellOutputView {
  const { value, error, interrupted } = result
  const failed = error !== null || output.studies.some(({ runs }) => lostVariant(runs))
  const studies = error ? output.studies : output.studies.filter(({ study }) => result.studies.includes(study))
  return { ...output, ended: interrupted ? 'interrupted' : failed ? 'failed' : 'done', value, error, studies, ms }
}

/** The output of a cell that could not be evaluated. */
export function failure(error: unknown, id: string, interrupted = false): EvaluateResult {
  return { value: null, error: cellError(error, id), studies: [], interrupted }
}

/** What a kernel has reported, once it has chosen a backend for a study. */
export function withChosen(report: BackendReport, name: string): BackendReport {
  const chosen = report.options.find((each) => each.name === name)
  return chosen ? { ...report, chosen } : report
}

/** What the user should know. */
function saidBy(event: SentEvent): ConsoleLine[] {
  if (event.type === 'backend') {
    const { study, backend, times } = event
    return times.length > 0 ? [{ level: 'log', text: chosenText(study, backend.name, times) }] : []
  }
  const inner = event.type === 'run' ? event.event : event
  return inner.type === 'warning' ? [{ level: 'warn', text: inner.message }] : []
}

function changeStudy(studies: StudyView[], name: string, events: SentEvent[]): StudyView[] {
  const before = studies.find((study) => study.study === name) ?? null
  const after = events.reduce(reduceStudy, before)
  if (!after) return studies
  return before ? studies.map((study) => (study === before ? after : study)) : [...studies, after]
}
