import { useMemo, useState } from 'react'
import type { Crossing } from '../../../engine/study/design/crossing.ts'
import { remember, remembered } from '../../ui/remembered.ts'
import { choiceOf, type FactorChoice } from './choice.ts'

const KEY = 'mixlab.factor chart'

type Kept = Partial<FactorChoice> & { curves?: boolean }

/** Which chart of factors is shown, and whether curves are instead; what was chosen last is kept. */
export function useFactorChoice(crossing: Crossing | null): {
  choice: FactorChoice | null
  curves: boolean
  choose(change: Kept): void
} {
  const [kept, setKept] = useState<unknown>(() => remembered(KEY))
  const known = useMemo((): Kept => (typeof kept === 'object' && kept !== null ? kept : {}), [kept])
  const choice = useMemo(() => crossing && choiceOf(known, crossing), [known, crossing])
  const choose = (change: Kept) => {
    const next = { ...known, ...change }
    remember(KEY, next)
    setKept(next)
  }
  return { choice, curves: known.curves !== false, choose }
}
