import { type RefCallback, startTransition, useCallback, useEffect, useState } from 'react'
import { useNotebook } from '../session/state.ts'

const FIRST = 4
const STEP = 8
/** How many cells come by themselves; of a longer notebook the others come as somebody scrolls there. */
const MOST = 500
/** How far before the end of what is shown more is added. */
const AHEAD = '2000px'

/**
 * How many cells of the open notebook are shown, and what stands below them, which has more of them shown once it is
 * near. They come a few at a time, so that the page is never busy with them for long, and always up to the selected one.
 */
export function useShown(): [cells: number, end: RefCallback<HTMLElement>] {
  const name = useNotebook((state) => state.name)
  const count = useNotebook((state) => state.cells.length)
  const selected = useNotebook(({ cells, selected }) => cells.findIndex(({ key }) => key === selected))
  const [shown, setShown] = useState({ name, cells: FIRST })
  const cells = Math.max(selected + 1, shown.name === name ? shown.cells : FIRST)
  const add = useCallback(() => startTransition(() => setShown({ name, cells: cells + STEP })), [name, cells])

  useEffect(() => {
    if (cells >= Math.min(count, MOST)) return
    const timer = setTimeout(add)
    return () => clearTimeout(timer)
  }, [cells, count, add])

  const end = useCallback(
    (element: HTMLElement | null) => {
      if (!element || cells < MOST) return
      const options = { scrollMargin: AHEAD } as IntersectionObserverInit
      const observer = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && add(), options)
      observer.observe(element)
      return () => observer.disconnect()
    },
    [cells, add],
  )
  return [cells, end]
}
