import type { BackendName } from '../../engine/backends/types.ts'
import { LostPlace } from '../../engine/errors.ts'
import type { TrainEvent } from '../../engine/records/events.ts'
import type { PlannedRun } from '../../engine/records/run.ts'
import type { StudyOptions } from '../../engine/study/design/resolve.ts'
import type { Attempt, Place, Runner } from '../../engine/study/runners/runner.ts'
import type { AskedCalls } from './calls.ts'

/** So many runs of a study are in the queue at the same time at most. */
const MAX_QUEUED = 1000

/** Places behind a queue, which the parent has: as many as there are runs, each in the hands of who takes it up. */
export function queueRunner(
  study: string,
  backend: BackendName,
  { quick, only, seeds }: StudyOptions,
  { queueRun, unqueueRun, queuedEvents }: Pick<AskedCalls, 'queueRun' | 'unqueueRun' | 'queuedEvents'>,
): Runner {
  const of = { study, backend, quick, only, seeds }
  const place = (signal: AbortSignal): Place => {
    const stopped = new Promise<null>((stop) => signal.addEventListener('abort', () => stop(null), { once: true }))

    async function* events(key: string, number: number, after: number): AsyncGenerator<TrainEvent> {
      let given = after
      let recorded = after
      for (;;) {
        const answer = await Promise.race([queuedEvents(key, number, given, recorded), stopped])
        if (answer === null || signal.aborted) return
        if (!Array.isArray(answer)) throw new LostPlace(answer.lost)
        for (const event of answer) {
          given += 1
          yield event
          // what waits for the store is in it, with all before, once the next one is asked for (recordEvents.ts)
          if (event.type !== 'step' && event.type !== 'metric') recorded = given
        }
      }
    }

    return {
      async attempt(run: PlannedRun, back?: AbortSignal): Promise<Attempt | null> {
        // one that somebody has begun meanwhile is told to its worker
        back?.addEventListener('abort', () => void unqueueRun(run.key).catch(() => {}), { once: true })
        const before = [run.from, run.teacher].flatMap((each) => (each && !('path' in each) ? [each.key] : []))
        const found = signal.aborted ? null : await Promise.race([queueRun(of, run, before), stopped])
        if (!found) return null
        return { ...found, events: (_, after) => events(run.key, found.number, after) }
      },
    }
  }
  return {
    places: async (keys, signal) => {
      const one = place(signal)
      return Array.from({ length: Math.min(keys.length, MAX_QUEUED) }, () => one)
    },
  }
}
