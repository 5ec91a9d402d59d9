import { desktop } from '../host/desktop.ts'
import { askPermission, notifyOutside } from '../host/notifications.ts'
import { type NotebookState, useNotebook } from '../session/state.ts'
import { fractionOf } from '../study/progress.ts'

const NAME = 'Mixlab'

/** What is in training in the open notebook, or has just ended. */
export interface Outside {
  study: string
  /** Of all steps of the study, 0 to 1; null once it has ended. */
  fraction: number | null
  /** How it ended. */
  ended: 'done' | 'failed' | 'interrupted' | null
}

/** The study in training, or how the one `before` ended; null for none. */
export function outsideOf({ states }: Pick<NotebookState, 'states'>, before: Outside | null): Outside | null {
  for (const { phase, output } of Object.values(states)) {
    if (phase !== 'running') continue
    const current = fractionOf(output?.studies ?? [])
    if (current) return { ...current, ended: null }
  }
  if (!before || before.fraction === null) return before
  const cell = Object.values(states).find(({ output }) => output?.studies.some(({ study }) => study === before.study))
  const { phase } = cell ?? {}
  if (phase === 'running') return before // between two studies of a cell, or at its end
  return phase === 'done' || phase === 'failed' || phase === 'interrupted'
    ? { ...before, fraction: null, ended: phase }
    : null
}

const SIGNS = { done: '✓', failed: '✗', interrupted: '■' }

/** The title of the tab or window. */
export function titleOf(outside: Outside | null): string {
  if (!outside) return NAME
  const { study, fraction, ended } = outside
  return `${ended ? SIGNS[ended] : `${Math.floor((fraction ?? 0) * 100)}%`} ${study} – ${NAME}`
}

/** Shows outside of the page how training goes and ends: in the title, on the taskbar, and as a notification at its end. */
export function showOutside(): void {
  let outside: Outside | null = null
  let seen = false
  const forget = () => {
    if (outside?.ended) show(null)
  }
  function show(next: Outside | null): void {
    if (next === outside) return
    const before = outside
    outside = next
    document.title = titleOf(next)
    if (next?.fraction !== before?.fraction) desktop()?.showTraining(next?.fraction ?? null)
    if (next?.fraction != null && !seen) {
      seen = true
      askPermission()
    }
    if (next?.ended && before?.fraction != null && !looking()) {
      notifyOutside(`${next.study}: ${next.ended}`, `mixlab ${next.study}`) // one, however many pages show it
    } else if (next?.ended && looking()) setTimeout(forget, 5000)
  }
  desktop()?.showTraining(null) // what a page before this one has shown
  useNotebook.subscribe((state) => show(outsideOf(state, outside)))
  window.addEventListener('focus', forget)
}

const looking = () => document.visibilityState === 'visible' && document.hasFocus()
