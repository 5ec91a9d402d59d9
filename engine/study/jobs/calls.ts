import type { SharedDraw } from '../../data/augment/sharedDraws.ts'
import type { FileSource } from '../../data/files.ts'
import type { TrainEvent } from '../../records/events.ts'
import type { StudyOptions } from '../design/resolve.ts'
import type { RunEnvironment } from '../trainRun.ts'

/** A run of a study, or of one that the study starts from, that was begun as `id`. */
export interface JobRun {
  study: string
  options: StudyOptions
  key: string
  id: number
}

/** What a job offers: it trains one run at a time. */
export interface JobCalls {
  /** Whether the notebook, evaluated there, has a study whose runs have these keys; or one that it starts from. */
  knows(study: string, options: StudyOptions, keys: string[]): Promise<boolean>
  /** Throws MixlabError where the notebook has no such run here. */
  begin(run: JobRun): Promise<void>
  /** What happens next, at least one event; null at the end. */
  next(): Promise<TrainEvent[] | null>
  /** Stops the run between two steps. */
  interrupt(): Promise<void>
}

/** What a job asks for. */
export type JobsCalls = FileSource & RunEnvironment['runs']

/** What those that train side by side ask for beside it. */
export interface SharedCalls {
  drawn: SharedDraw
}
