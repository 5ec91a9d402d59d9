import { LostPlace } from '../../errors.ts'
import type { TrainEvent } from '../../records/events.ts'
import type { PlannedRun } from '../../records/run.ts'
import type { Offered } from './offered.ts'
import type { Attempt, Place } from './runner.ts'

/** A run that loses its process so often without a checkpoint in between is given up. */
export const MAX_PROCESS_LOSSES = 3

/** Why a run was given up whose process ended too often. */
export function lostTooOften(why: string): string {
  return `lost its process ${MAX_PROCESS_LOSSES} times without a checkpoint in between: ${why}; probably out of memory, of which fewer runs at a time (--jobs) or a smaller batch need less`
}

/**
 * The attempts that a place makes at a run, one after the other, until one ends it. Where the place breaks down the attempt
 * ends as interrupted, and the next one goes on from the last checkpoint; the run fails where that happens too often. There are
 * none once it is taken back out of `offered`, where it is until somebody begins it.
 */
export async function* attemptsAt(
  place: Place,
  run: PlannedRun,
  signal?: AbortSignal,
  offered: Offered = new Map(),
): AsyncGenerator<Attempt> {
  let step = 0
  let losses = 0 // since the last checkpoint
  let lost = false

  async function* untilLost(events: AsyncGenerator<TrainEvent>): AsyncGenerator<TrainEvent> {
    try {
      for await (const event of events) {
        if ('step' in event) step = event.step
        if (event.type === 'checkpoint') losses = 0
        yield event
      }
    } catch (error) {
      if (!(error instanceof LostPlace)) throw error
      losses += 1
      lost = losses < MAX_PROCESS_LOSSES
      if (!lost) {
        yield { type: 'failed', step, message: lostTooOften(error.message) }
        return
      }
      const message = `its process ended: ${error.message}; it continues from its last checkpoint`
      yield { type: 'warning', step, message }
      yield { type: 'interrupted', step }
    }
  }

  do {
    const back = new AbortController()
    offered.set(run.key, { run, back })
    const attempt = await place.attempt(run, back.signal).finally(() => offered.delete(run.key))
    if (!attempt || back.signal.aborted) return
    lost = false
    yield { ...attempt, events: (...given) => untilLost(attempt.events(...given)) }
  } while (lost && !signal?.aborted)
}
