import type { StoredRun } from '../../../engine/records/run.ts'
import { interruptedElsewhere } from '../../../engine/study/backends/elsewhere.ts'
import type { LocalHost } from '../../host.ts'

/**
 * Lets those attempts at planned runs that were interrupted on another backend go on on this one, where that is wanted. Returns what was done
 * or could be, in words; null where there are none.
 */
export async function moveLine(
  study: string,
  attempts: readonly StoredRun[],
  backend: string,
  wanted: boolean,
  host: LocalHost,
): Promise<string | null> {
  const found = interruptedElsewhere(attempts, backend)
  if (!found) return null
  const { runs, text } = found
  const them = runs.length === 1 ? 'it' : 'them'
  if (!wanted) return `${study}: ${text}; --move lets ${them} continue on ${backend}, marked`
  await host.changeBackend(
    runs.map(({ id }) => id),
    backend,
  )
  return `${study}: ${text} ${runs.length === 1 ? 'continues' : 'continue'} on ${backend}`
}
