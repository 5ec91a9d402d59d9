import { newestOf } from '../../../engine/records/attempts.ts'
import { lastBackend } from '../../../engine/records/backends.ts'
import type { PlannedRun, StoredRun } from '../../../engine/records/run.ts'
import { plural } from '../../../engine/study/statistics/index.ts'
import type { LocalHost } from '../../host.ts'

/** Those attempts at planned runs that count, where they were interrupted on another backend than `backend`. */
async function interruptedElsewhere(
  planned: readonly PlannedRun[],
  backend: string,
  host: LocalHost,
): Promise<StoredRun[]> {
  const counting = newestOf(await host.listRuns({ keys: planned.map(({ key }) => key) }))
  return counting.filter((run) => run.status === 'interrupted' && lastBackend(run.backend) !== backend)
}

/**
 * Lets planned runs that were interrupted on another backend go on on this one, where that is wanted. Returns what was done
 * or could be, in words; null where there are none.
 */
export async function moveLine(
  study: string,
  planned: readonly PlannedRun[],
  backend: string,
  wanted: boolean,
  host: LocalHost,
): Promise<string | null> {
  const found = await interruptedElsewhere(planned, backend, host)
  if (found.length === 0) return null
  const from = [...new Set(found.map((run) => lastBackend(run.backend)))].join(' and ')
  const was = `${plural(found.length, 'run')} interrupted on ${from}`
  if (!wanted)
    return `${study}: ${was}; --move lets ${found.length === 1 ? 'it' : 'them'} continue on ${backend}, marked`
  await host.changeBackend(
    found.map(({ id }) => id),
    backend,
  )
  return `${study}: ${was} ${found.length === 1 ? 'continues' : 'continue'} on ${backend}`
}
