import { Worker } from 'node:worker_threads'
import type { JobsCalls } from '../../engine/study/jobs/calls.ts'
import { createJobs, type Jobs } from '../../engine/study/jobs/jobs.ts'
import { type JobStart, threadChannel } from './calls.ts'

/** So many threads that train runs of a notebook. */
export function startJobs(count: number, start: JobStart, source: JobsCalls): Jobs {
  return createJobs(
    count,
    (broken) => {
      const thread = new Worker(new URL('./job.ts', import.meta.url), { workerData: start })
      thread.on('error', ({ message }) => broken(message))
      thread.on('exit', (code) => broken(`code ${code}`))
      return { channel: threadChannel(thread), end: () => thread.terminate() }
    },
    source,
  )
}
