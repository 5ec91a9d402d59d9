import { type RefCallback, startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useNotebook } from '../session/state.ts'
import { type Part, partWith, withMore } from './part.ts'

/** How many cells come by themselves; of a longer notebook the others come as the user scrolls or goes there. */
const MAX_CELLS = 200
/** How many characters of cells come by themselves, for the same reason. */
const MAX_CHARACTERS = 100_000
/** How far from the ends of what is shown more is added. */
const AHEAD = '2000px'

interface Shown extends Part {
  /** Refs for the spacers above and below the cells that are shown: more cells are shown once a spacer comes near. */
  start: RefCallback<HTMLElement>
  end: RefCallback<HTMLElement>
}

/**
 * Which cells of the open notebook are shown. They come a few at a time, so that the page is never busy with them for
 * long, and the selected one is always among them: where it is far from the others they come from there on.
 */
export function useShown(): Shown {
  const name = useNotebook((state) => state.name)
  const count = useNotebook((state) => state.cells.length)
  const selected = useNotebook(({ cells, selected }) => cells.findIndex(({ key }) => key === selected))
  const [shown, setShown] = useState<{ name: string | null; part: Part | null }>({ name, part: null })
  const known = shown.name === name ? shown.part : null
  const part = partWith(known, selected, count)
  if (part !== known) setShown({ name, part })
  const { from, to } = part
  const heavy = useNotebook(
    ({ cells }) => cells.slice(from, to).reduce((sum, { source }) => sum + source.length, 0) >= MAX_CHARACTERS,
  )
  const full = Math.min(to, count) - from >= Math.min(count, heavy ? 1 : MAX_CELLS)
  const page = useRef<HTMLElement | null>(null)
  const height = useRef<number | null>(null)
  const grow = useCallback(
    (where: 'up' | 'down') => {
      const { cells } = useNotebook.getState()
      if (where === 'up') height.current = page.current?.scrollTop === 0 ? page.current.scrollHeight : null
      const more = withMore({ from, to }, where, (place) => cells[place]?.source.length ?? 0)
      startTransition(() => setShown({ name, part: more }))
    },
    [name, from, to],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: once cells have come above
  useLayoutEffect(() => {
    // what is seen stays where it is; browsers see to that unless the page stands at its very start
    if (page.current && height.current !== null) page.current.scrollTop = page.current.scrollHeight - height.current
    height.current = null
  }, [from])

  useEffect(() => {
    if (full) return
    const timer = setTimeout(() => grow(to < count ? 'down' : 'up'))
    return () => clearTimeout(timer)
  }, [full, to, count, grow])

  const watch = useCallback(
    (element: HTMLElement | null, where: 'up' | 'down') => {
      if (!element || !full) return
      const options = { scrollMargin: AHEAD } as IntersectionObserverInit
      const seen = (all: IntersectionObserverEntry[]) => {
        if (all.some((each) => each.isIntersecting)) grow(where)
      }
      const observer = new IntersectionObserver(seen, options)
      observer.observe(element)
      return () => observer.disconnect()
    },
    [full, grow],
  )
  const start = useCallback(
    (element: HTMLElement | null) => {
      page.current = element?.parentElement ?? page.current
      return watch(element, 'up')
    },
    [watch],
  )
  const end = useCallback((element: HTMLElement | null) => watch(element, 'down'), [watch])
  return { from, to, start, end }
}
