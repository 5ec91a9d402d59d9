import { useEffect, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'

/** What the host answered: null before it has, and where it could not. */
export interface HostAnswer<Value> {
  value: Value | null
  error: string | null
}

const AGAIN_EVERY = 2000 // ms

/**
 * Asks the host, and again whenever `question` is another one; what it answered to the one before stands until then.
 * While `live` holds for the answer, the question is repeated.
 */
export function useAnswer<Value>(
  question: string,
  ask: () => Promise<Value>,
  live: (value: Value) => boolean = () => false,
): HostAnswer<Value> {
  const [answer, setAnswer] = useState<HostAnswer<Value>>({ value: null, error: null })
  const again = answer.value !== null && live(answer.value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question says what is asked
  useEffect(() => {
    let current = true
    const read = () =>
      ask().then(
        (value) => current && setAnswer({ value, error: null }),
        (error) => current && setAnswer({ value: null, error: messageOf(error) }),
      )
    void read()
    const timer = again ? setInterval(read, AGAIN_EVERY) : undefined
    return () => {
      current = false
      clearInterval(timer)
    }
  }, [question, again])
  return answer
}
