import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import { useConnection } from '../host/state.ts'

/** What was asked of the host last; `asking` while another answer is waited for. */
export interface Asked<Value> {
  value: Value | null
  error: string | null
  asking: boolean
}

const EVERY = 1000 // ms
/** While something trains, at most this share of the time is spent on answers to one question. */
const SHARE = 0.2

/**
 * Asks the host when `question` changes, and as it says: while something trains every second, less often where the answer
 * takes its time, and when the page is seen, focused or connected again. What was answered stays until there is another answer.
 */
export function useAsked<Value>(
  question: string | null,
  ask: () => Promise<Value>,
  training: (value: Value) => boolean,
): Asked<Value> {
  const [asked, setAsked] = useState<Asked<Value>>({ value: null, error: null, asking: true })
  const connected = useConnection((state) => state.phase === 'open')
  const asking = useRef({ ask, training })
  useEffect(() => {
    asking.current = { ask, training }
  })
  useEffect(() => {
    if (question === null || !connected) return
    let current = true
    let timer: ReturnType<typeof setTimeout> | undefined
    async function read() {
      clearTimeout(timer)
      const begun = performance.now()
      try {
        const value = await asking.current.ask()
        if (!current) return
        setAsked({ value, error: null, asking: false })
        const took = performance.now() - begun
        if (asking.current.training(value)) timer = setTimeout(unlessHidden, Math.max(EVERY, took / SHARE))
      } catch (error) {
        if (current) setAsked((before) => ({ ...before, error: messageOf(error), asking: false }))
      }
    }
    const unlessHidden = () => {
      if (document.visibilityState === 'visible') void read()
    }
    setAsked((before) => ({ ...before, asking: true }))
    void read()
    document.addEventListener('visibilitychange', unlessHidden)
    window.addEventListener('focus', unlessHidden)
    return () => {
      current = false
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', unlessHidden)
      window.removeEventListener('focus', unlessHidden)
    }
  }, [question, connected])
  return asked
}
