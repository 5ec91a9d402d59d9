import { type NotebookState, useNotebook } from './state.ts'

/** Whether the user has looked elsewhere since the cells in progress were asked for. */
let elsewhere = false

/** Keys that run cells, or do nothing by themselves. */
const STAY = ['Enter', 'Shift', 'Control', 'Alt', 'Meta']

/**
 * Notices from now on where the user looks: scrolling, and all keys but the ones that run cells, move the focus
 * elsewhere.
 */
export function watchUserFocus(): void {
  const leave = () => {
    elsewhere = true
  }
  for (const type of ['wheel', 'touchmove'] as const) window.addEventListener(type, leave, { passive: true })
  window.addEventListener('keydown', ({ key }) => !STAY.includes(key) && leave(), { capture: true })
  // the page itself is what lies under its scroll bar
  window.addEventListener(
    'pointerdown',
    ({ target }) => target instanceof Element && target.matches('.page') && leave(),
  )
  useNotebook.subscribe((state, before) => {
    if (state.states !== before.states && works(state) && !works(before)) elsewhere = false
  })
}

/** Brings what has begun into view, unless it is there or the user has looked elsewhere meanwhile. */
export function revealStartedCell(element: Element): void {
  if (elsewhere) return
  const page = element.closest('.page')?.getBoundingClientRect()
  const { top, bottom } = element.getBoundingClientRect()
  if (page && (top < page.top || bottom > page.bottom)) element.scrollIntoView({ block: 'start' })
}

function works({ states }: NotebookState): boolean {
  return Object.values(states).some(({ phase }) => phase === 'running' || phase === 'queued')
}
