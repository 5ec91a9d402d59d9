import { useEffect, useEffectEvent } from 'react'
import { setPicked } from '../wall/state.ts'
import { WallView } from '../wall/WallView.tsx'
import { chooseNone, useTable } from './state.ts'
import type { Shown } from './useListing.ts'

/** Charts of the runs of the table; those that are chosen there are drawn on top. */
export default function WallOfRuns({ shown }: { shown: Shown }) {
  const filter = useTable((state) => state.filter)
  const takeChosen = useEffectEvent(() => {
    const { chosen } = useTable.getState()
    if (chosen.size === 0) return
    setPicked([...chosen].sort((a, b) => a - b))
    chooseNone()
  })
  useEffect(() => takeChosen(), [])
  return <WallView filter={filter} fields={shown.fields} stamp={`${shown.total} ${shown.error}`} />
}
