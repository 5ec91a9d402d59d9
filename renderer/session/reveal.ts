/** What scrolls: a page, or the table that fills it. */
const SCROLLS = '.runs-scroll, main.page:not(.runs-page)'
/** How long a view is held while the page is drawn, in ms; what comes later moves nothing in a browser. */
const HOLD = 5000

/** What is at the upper edge of the page: a cell, by its id, and where it begins; without cells how far it is scrolled. */
export interface PlaceInView {
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

/** What is in view; null where nothing is drawn. */
export function placeInView(): PlaceInView | null {
  const page = document.querySelector(SCROLLS)
  if (!page) return null
  const { top } = page.getBoundingClientRect()
  const cells = [...page.querySelectorAll<HTMLElement>('[data-cell]')]
  const first = cells.find((each) => each.getBoundingClientRect().bottom > top)
  if (!first) return { cell: null, y: page.scrollTop }
  return { cell: first.dataset.cell ?? null, y: first.getBoundingClientRect().top - top }
}

/** Keeps a place in view while cells, editors and charts come, until the user does something. */
export function hold({ cell, y }: PlaceInView): void {
  held.abort()
  held = new AbortController()
  const { signal } = held
  for (const type of ['wheel', 'pointerdown', 'keydown'])
    window.addEventListener(type, () => held.abort(), { capture: true, signal })
  let end = Number.POSITIVE_INFINITY
  const step = () => {
    const page = document.querySelector(SCROLLS)
    const first = cell === null ? page : page?.querySelector(`[data-cell="${CSS.escape(cell)}"]`)
    if (page && first) {
      const from = cell === null ? 0 : first.getBoundingClientRect().top - page.getBoundingClientRect().top
      page.scrollTop = cell === null ? y : page.scrollTop + from - y
      end = Math.min(end, performance.now() + HOLD)
    }
    if (performance.now() > end) held.abort()
    if (!signal.aborted) requestAnimationFrame(step)
  }
  step()
}
