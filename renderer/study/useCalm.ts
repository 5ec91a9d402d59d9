import { useEffect, useRef, useState } from 'react'

/** A value that changes at most every `interval` milliseconds; the last change always arrives. */
export function useCalm<T>(value: T, interval: number): T {
  const [calm, setCalm] = useState(value)
  const last = useRef(0)
  useEffect(() => {
    const wait = Math.max(0, last.current + interval - performance.now())
    const timer = setTimeout(() => {
      last.current = performance.now()
      setCalm(value)
    }, wait)
    return () => clearTimeout(timer)
  }, [value, interval])
  return calm
}
