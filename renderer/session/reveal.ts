/** How long a view is held once its cell is drawn, in ms; of what comes later a browser moves nothing that is seen. */
const HOLD = 5000

/** A cell, by its id, and how far below the upper edge of the page it begins, in pixels; null: all of the page. */
export interface View {
  cell: string | null
  y: number
}

let held = new AbortController()
/** Whether a cell was asked for since the page came to its address. */
export const asked = { cell: false }

/** Brings the selected cell into view, once it is drawn. */
export function reveal(): void {
  asked.cell = true
  held.abort()
  requestAnimationFrame(() => document.querySelector('[data-selected="true"]')?.scrollIntoView({ block: 'nearest' }))
}

/** What is in view: the first cell that is not above it; null where no page is drawn. */
export function viewNow(page = document.querySelector('main.page')): View | null {
  if (!page) return null
  const cells = [...page.querySelectorAll<HTMLElement>('[data-cell]')]
  const first = cells.find((each) => each.getBoundingClientRect().bottom > page.getBoundingClientRect().top)
  const cell = first?.dataset.cell ?? null
  return { cell, y: below(page, cell) ?? 0 }
}

/** Keeps a view while cells, editors and charts come, until the user does something. */
export function hold({ cell, y }: View): void {
  held.abort()
  const own = new AbortController()
  held = own
  const { signal } = own
  for (const type of ['wheel', 'pointerdown', 'keydown'])
    window.addEventListener(type, () => own.abort(), { capture: true, signal })
  let end = Number.POSITIVE_INFINITY
  const step = () => {
    if (signal.aborted || performance.now() > end) return own.abort()
    const page = document.querySelector('main.page')
    const now = page && below(page, cell)
    if (now !== null) end = Math.min(end, performance.now() + HOLD)
    if (page && now !== null) page.scrollTop += now - y
    requestAnimationFrame(step)
  }
  step()
}

function below(page: Element, cell: string | null): number | null {
  const shown = cell === null ? page.firstElementChild : page.querySelector(`[data-cell="${CSS.escape(cell)}"]`)
  return shown && shown.getBoundingClientRect().top - page.getBoundingClientRect().top
}
