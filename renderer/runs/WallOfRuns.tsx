import { useEffect, useEffectEvent, useState } from 'react'
import { parseFilter } from '../../engine/runs/filter.ts'
import type { RunFields } from '../../engine/runs/types.ts'
import { setPicked } from '../wall/state.ts'
import { WallView } from '../wall/WallView.tsx'
import { chooseNone, useTable } from './state.ts'
import type { Shown } from './useListing.ts'

/** Charts of the runs of the table; those that are chosen there are drawn on top. */
export default function WallOfRuns({ shown }: { shown: Shown }) {
  const filter = useUnderstood(
    useTable((state) => state.filter),
    shown.fields,
  )
  const takeChosen = useEffectEvent(() => {
    const { chosen } = useTable.getState()
    if (chosen.size === 0) return
    setPicked([...chosen].sort((a, b) => a - b))
    chooseNone()
  })
  useEffect(() => takeChosen(), [])
  return <WallView filter={filter} fields={shown.fields} stamp={String(shown.total)} />
}

/** A filter, or the last one that was understood. */
function useUnderstood(filter: string, fields: RunFields): string {
  const [last, setLast] = useState('')
  const understood = isUnderstood(filter, fields) ? filter : last
  if (understood !== last) setLast(understood)
  return understood
}

function isUnderstood(filter: string, fields: RunFields): boolean {
  try {
    parseFilter(filter, fields)
    return true
  } catch {
    return false
  }
}
