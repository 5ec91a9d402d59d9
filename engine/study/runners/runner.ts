import type { Environment } from '../../records/environment.ts'
import type { TrainEvent } from '../../records/events.ts'
import type { PlannedRun } from '../../records/run.ts'

/**
 * Where the runs of a study are trained: threads, workers of the page, processes, other machines. It hands out attempts;
 * that an attempt is recorded, fenced off from earlier ones and made again stands in execute.ts and attempts.ts, once.
 */
export interface Runner {
  /**
   * Places for the runs with such keys, until the signal; null to train them here, one after the other. Throws MixlabError
   * where it has none for this study.
   */
  places(keys: string[], signal: AbortSignal): Promise<Place[] | null>
}

/** A place that trains one run at a time. */
export interface Place {
  /**
   * An attempt at a run, once somebody makes it; null where nobody will. Asked again for the same run, it makes another one.
   * Throws MixlabError `owner` where another process trains the run, or has ended it.
   * `back` says that it is not wanted any more before anybody has begun it.
   */
  attempt(run: PlannedRun, back?: AbortSignal): Promise<Attempt | null>
}

/** An attempt at a run. */
export interface Attempt {
  /**
   * Its number, from 1 on, by whoever hands it out elsewhere, a queue or a scheduler: the store takes a higher one as a
   * take-over and refuses a lower one. After LostPlace the next attempt has a higher one. Left out, the store counts.
   */
  number?: number
  /** What trains it, where that is not what executes the study. */
  on?: { backend: string; device: string; environment?: Environment }
  /**
   * What happens, of the run that was begun as `id`, without the first `after` events of this attempt, which the store has.
   * Throws LostPlace where the place breaks down.
   */
  events(id: number, after: number): AsyncGenerator<TrainEvent>
}

/** A place that makes attempts at once and leaves their numbers to the store. */
export function placeFrom(events: (run: PlannedRun, id: number) => AsyncGenerator<TrainEvent>): Place {
  return { attempt: async (run) => ({ events: (id) => events(run, id) }) }
}
