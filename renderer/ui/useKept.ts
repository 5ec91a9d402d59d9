import { useState } from 'react'
import { remember, remembered } from './remembered.ts'

/** A state that this tab keeps for the address that it shows, also when that is loaded again. */
export function useKept<Value extends string | boolean>(name: string, initial: Value): [Value, (value: Value) => void] {
  const [key] = useState(() => `mixlab.kept ${location.hash} ${name}`)
  const [value, setValue] = useState(() => {
    const kept = remembered(key, true)
    return typeof kept === typeof initial ? (kept as Value) : initial
  })
  const change = (next: Value) => {
    setValue(next)
    remember(key, next, true)
  }
  return [value, change]
}
