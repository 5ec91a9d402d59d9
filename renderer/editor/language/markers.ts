import { cellKeyOf, cellModels } from '../cells.ts'
import { monaco } from '../monaco.ts'
import { onCellsChange } from '../shown.ts'
import { language } from './client.ts'
import { rangeOf } from './places.ts'

const OWNER = 'types'
const CHECK_AFTER = 300 // ms without a change

const SEVERITIES = {
  error: monaco.MarkerSeverity.Error,
  warning: monaco.MarkerSeverity.Warning,
  hint: monaco.MarkerSeverity.Hint,
}

let watching = false
let timer: ReturnType<typeof setTimeout> | undefined
let round = 0

/** From now on type errors are marked in every cell that an editor shows. */
export function watchProblems(): void {
  if (watching) return
  watching = true
  onCellsChange(checkSoon)
  checkSoon()
}

function checkSoon(): void {
  round++
  clearTimeout(timer)
  // a worker that has died is started again by the next call
  timer = setTimeout(() => void check(round).catch(() => {}), CHECK_AFTER)
}

/** One cell after the other, so that a completion asked for meanwhile does not wait for all. */
async function check(started: number): Promise<void> {
  for (const model of cellModels().filter((each) => each.isAttachedToEditor())) {
    const found = model.getLanguageId() === 'typescript' ? await language().problems(cellKeyOf(model)) : []
    if (round !== started) return
    const markers = found.map(({ at, severity, message }) => ({
      ...rangeOf(model, at),
      severity: SEVERITIES[severity],
      message,
    }))
    monaco.editor.setModelMarkers(model, OWNER, markers)
  }
}
