import { useEffect, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import type { StoredRun } from '../../engine/study/types.ts'
import { host } from '../host/state.ts'
import { useKernel } from '../kernel/state.ts'
import { notify } from '../shell/notices.ts'

const LIMIT = 500
const REFRESH_EVERY = 1500 // ms, while something trains

/** The newest runs of the workspace, read again and again while the kernel works; null before the first answer. */
export function useRuns(): StoredRun[] | null {
  const [runs, setRuns] = useState<StoredRun[] | null>(null)
  const busy = useKernel((state) => state.phase === 'busy' || state.phase === 'interrupting')
  useEffect(() => {
    let current = true
    const read = async () => {
      try {
        const found = await host().listRuns({ limit: LIMIT })
        if (current) setRuns(found.sort((a, b) => b.id - a.id))
      } catch (error) {
        notify({ tone: 'bad', text: messageOf(error) })
      }
    }
    void read()
    const timer = busy ? setInterval(read, REFRESH_EVERY) : undefined
    return () => {
      current = false
      clearInterval(timer)
    }
  }, [busy])
  return runs
}
