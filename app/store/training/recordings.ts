import type { Recorded } from '../../../engine/records/run.ts'
import type { RecordedBatch } from '../record.ts'
import type { Store } from '../store.ts'

/** Records what comes in of all runs, as `Host.record` does: what comes in one turn of the event loop in one transaction. */
export interface Recordings {
  /** Resolves once it is on the disk. Throws as `record`. */
  record(...batch: RecordedBatch): Promise<Recorded>
  /** Writes what waits at once, so that who comes next sees it. */
  flush(): void
}

export function openRecordings({ recordTogether }: Pick<Store, 'recordTogether'>): Recordings {
  let waiting: { batch: RecordedBatch; answer: PromiseWithResolvers<Recorded> }[] = []

  function flush(): void {
    const written = waiting
    waiting = []
    if (written.length === 0) return
    const answers = recordTogether(written.map(({ batch }) => batch))
    for (const [i, recorded] of answers.entries()) {
      const answer = written[i]?.answer
      try {
        answer?.resolve(recorded())
      } catch (error) {
        answer?.reject(error)
      }
    }
  }

  return {
    record(...batch) {
      if (waiting.length === 0) setImmediate(flush)
      const answer = Promise.withResolvers<Recorded>()
      waiting.push({ batch, answer })
      return answer.promise
    },
    flush,
  }
}
