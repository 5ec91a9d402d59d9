import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** How far outside the view a figure is drawn at once, so that scrolling finds it there. */
const AHEAD = '600px'
/** How many are drawn by themselves; of more the others come as the user scrolls there. */
const MAX_FIGURES = 40

interface Watched {
  tell(due: boolean): void
  near: boolean
  /** The last value that was passed to `tell`. */
  due: boolean
  drawn: boolean
}

const figures = new Map<Element, Watched>()
let observer: IntersectionObserver | null = null
let turn: ReturnType<typeof setTimeout> | null = null

/**
 * Whether a figure is due to be drawn, and again when it changes: near the view, before the page is printed, and where
 * there are few of them. Each has a turn in a task of its own, so that many never keep the page busy for long.
 */
export function useDrawTurn(box: RefObject<HTMLElement | null>): boolean {
  const [due, setDue] = useState(false)
  useEffect(() => (box.current ? watch(box.current, setDue) : undefined), [box])
  return due
}

function watch(element: Element, tell: (due: boolean) => void): () => void {
  observer ??= observing()
  figures.set(element, { tell, near: false, due: false, drawn: false })
  observer.observe(element)
  return () => {
    observer?.unobserve(element)
    figures.delete(element)
  }
}

function observing(): IntersectionObserver {
  addEventListener('beforeprint', () => flushSync(() => figures.forEach(draw)))
  return new IntersectionObserver(notice, { scrollMargin: AHEAD } as IntersectionObserverInit)
}

function notice(entries: IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    const figure = figures.get(target)
    if (!figure) continue
    const gone = figure.near && !isIntersecting
    figure.near = isIntersecting
    if (!gone) continue
    figure.due = false
    figure.tell(false)
  }
  takeTurns()
}

function takeTurns(): void {
  if (turn !== null || !next()) return
  turn = setTimeout(() => {
    turn = null
    const figure = next()
    if (figure) flushSync(() => draw(figure))
    takeTurns()
  })
}

/** The figure that is to be drawn now: those near the view come first. */
function next(): Watched | undefined {
  const all = [...figures.values()]
  const first = all.find(({ near, due }) => near && !due)
  if (first || all.filter(({ drawn }) => drawn).length >= MAX_FIGURES) return first
  const [, other] = [...figures].find(([element, { drawn }]) => !drawn && element.getClientRects().length > 0) ?? []
  return other
}

function draw(figure: Watched): void {
  figure.drawn = true
  figure.due = true
  figure.tell(true)
}
