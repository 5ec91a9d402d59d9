import { type RefObject, useEffect, useState } from 'react'

/** The height of an element in pixels, as it changes; 0 before it is known. */
export function useRoom(element: RefObject<Element | null>): number {
  const [room, setRoom] = useState(0)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => setRoom(Math.round(entry?.contentRect.height ?? 0)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return room
}
