import { type RefObject, useEffect, useState } from 'react'

/** How far outside the view a panel counts as seen, so that scrolling finds it drawn. */
const AHEAD = '300px'

/** Whether an element was in view, or near it. */
export function useSeen(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (!element.current || seen) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true),
      {
        scrollMargin: AHEAD,
      } as IntersectionObserverInit,
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, seen])
  return seen
}
