import type { MessagePort, Worker } from 'node:worker_threads'
import type { Channel } from '../../engine/channel.ts'
import type { FileSource } from '../../engine/host.ts'
import type { StudyOptions } from '../../engine/study/resolve.ts'
import type { RunEnvironment } from '../../engine/study/trainRun.ts'
import type { TrainEvent } from '../../engine/train/events.ts'

/** What a job is started with. */
export interface JobStart {
  /** The text of the notebook. */
  notebook: string
  backend: string
  threads: number
}

/** A run of a study, or of one that the study starts from, that was begun as `id`. */
export interface JobRun {
  study: string
  options: StudyOptions
  key: string
  id: number
}

/** What a job offers: it trains one run at a time. */
export interface JobCalls {
  /** Throws MixlabError where the notebook has no such run here. */
  begin(run: JobRun): Promise<void>
  /** What happens next; null at the end. */
  next(): Promise<TrainEvent | null>
  /** Stops the run between two steps. */
  interrupt(): Promise<void>
}

/** What a job asks for. */
export type JobsCalls = FileSource & RunEnvironment['runs']

/** The channel between the main thread and a job, seen from either. */
export function threadChannel(end: Worker | MessagePort): Channel {
  return {
    post: (message) => end.postMessage(message),
    listen: (receive) => void end.on('message', receive),
  }
}
