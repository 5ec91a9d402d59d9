import { newestOf } from '../../../engine/records/attempts.ts'
import { interruptedElsewhere } from '../../../engine/study/backends/elsewhere.ts'
import type { NamedRun } from '../../cells/calls.ts'
import type { LocalHost } from '../../host.ts'

/**
 * Lets planned runs that were interrupted on another backend go on on this one, where that is wanted. Returns what was done
 * or could be, in words; null where there are none.
 */
export async function moveLine(
  study: string,
  planned: readonly NamedRun[],
  backend: string,
  wanted: boolean,
  host: LocalHost,
): Promise<string | null> {
  const counting = newestOf(await host.listRuns({ keys: planned.map(({ key }) => key) }))
  const found = interruptedElsewhere(counting, backend)
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
