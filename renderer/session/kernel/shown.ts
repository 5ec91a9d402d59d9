import type { StudyEvent } from '../../../engine/records/run.ts'
import { chosenText } from '../../../engine/study/backends/times.ts'
import type { CellOutputView, ConsoleLine } from '../../protocol/output.ts'
import { reduceStudy, type StudyView } from '../../protocol/study.ts'

/** What a cell shows after events of one of its studies. */
export function shownAfter(output: CellOutputView, study: string, events: StudyEvent[]): CellOutputView {
  return {
    ...output,
    console: [...output.console, ...events.flatMap(saidBy)],
    studies: changeStudy(output.studies, study, events),
  }
}

/** What the user should know. */
function saidBy(event: StudyEvent): ConsoleLine[] {
  if (event.type === 'backend') {
    const { study, backend, times } = event
    return times.length > 0 ? [{ level: 'log', text: chosenText(study, backend.name, times) }] : []
  }
  const inner = event.type === 'run' ? event.event : event
  return inner.type === 'warning' ? [{ level: 'warn', text: inner.message }] : []
}

function changeStudy(studies: StudyView[], name: string, events: StudyEvent[]): StudyView[] {
  const before = studies.find((study) => study.study === name) ?? null
  const after = events.reduce(reduceStudy, before)
  if (!after) return studies
  return before ? studies.map((study) => (study === before ? after : study)) : [...studies, after]
}
