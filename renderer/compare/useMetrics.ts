import { useState } from 'react'
import { remember, remembered } from '../ui/remembered.ts'

/** Panels that are shown before anything is chosen. */
const FIRST = 3
const KEY = 'mixlab.compare metrics'
const ALL = 'all'

/** The metrics that are shown, of those that are known, and a way to choose others; what was chosen last is kept. */
export function useMetrics(known: string[]): [metrics: string[], choose: (names: string[]) => void] {
  const [choice, setChoice] = useState(() => remembered(KEY))
  const choose = (names: string[]) => {
    const next = names.length === known.length ? ALL : names
    remember(KEY, next)
    setChoice(next)
  }
  return [chosenOf(choice, known), choose]
}

/** The metrics of a stored choice that these runs have; the first few metrics where they have none of it. */
export function chosenOf(choice: unknown, known: string[]): string[] {
  if (choice === ALL) return known
  if (!Array.isArray(choice)) return known.slice(0, FIRST)
  const chosen = known.filter((name) => choice.includes(name))
  return chosen.length > 0 || choice.length === 0 ? chosen : known.slice(0, FIRST)
}
