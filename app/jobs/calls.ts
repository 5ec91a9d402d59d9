import type { MessagePort, Worker } from 'node:worker_threads'
import type { Channel } from '../../engine/channel.ts'

/** What a job is started with. */
export interface JobStart {
  /** The text of the notebook. */
  notebook: string
  backend: string
  threads: number
}

/** The channel between the main thread and a job, seen from either. */
export function threadChannel(end: Worker | MessagePort): Channel {
  return {
    post: (message) => end.postMessage(message),
    listen: (receive) => void end.on('message', receive),
  }
}
