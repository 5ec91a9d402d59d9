import { useEffect, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import type { RunReport } from '../../engine/evaluate/report.ts'
import { host } from '../host/state.ts'
import { notify } from '../shell/notices.ts'

/** The report of a run in the store; null for no run, before the answer, and for a run without one. */
export function useReport(run: number | null): RunReport | null {
  const [found, setFound] = useState<{ run: number; report: RunReport | null } | null>(null)
  useEffect(() => {
    if (run === null) return
    let current = true
    host()
      .readReport(run)
      .then(
        (report) => current && setFound({ run, report }),
        (error) => current && notify({ tone: 'bad', text: messageOf(error) }),
      )
    return () => {
      current = false
    }
  }, [run])
  return found?.run === run ? found.report : null
}
