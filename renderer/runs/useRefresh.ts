import { useEffect } from 'react'
import { useConnection } from '../host/state.ts'
import { useKernel } from '../session/kernel/state.ts'
import type { RunsRow } from './rows.ts'
import type { Listing } from './windows.ts'

const EVERY = 1000 // ms
const NEWEST = 50 // rows that are looked at for runs in training

/** Calls `refresh` at once, every second while something trains, and when the page is seen or connected again. */
export function useRefresh(refresh: () => Promise<void>, listing: Listing<RunsRow> | null): void {
  const busy = useKernel((state) => state.phase === 'busy' || state.phase === 'interrupting')
  const connected = useConnection((state) => state.phase === 'open')
  const training = busy || hasRunning(listing)
  useEffect(() => {
    if (!connected) return
    void refresh()
    const unlessHidden = () => {
      if (document.visibilityState === 'visible') void refresh()
    }
    const timer = training ? setInterval(unlessHidden, EVERY) : undefined
    document.addEventListener('visibilitychange', unlessHidden)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', unlessHidden)
    }
  }, [refresh, training, connected])
}

/** Whether a run is in training, be it by another process. */
function hasRunning(listing: Listing<RunsRow> | null): boolean {
  return Array.from({ length: NEWEST }, (_, index) => listing?.row(index)).some(
    (row) => row?.kind === 'run' && row.status === 'running',
  )
}
