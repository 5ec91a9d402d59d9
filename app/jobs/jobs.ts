import { Worker } from 'node:worker_threads'
import { connect } from '../../engine/channel.ts'
import type { Trainer } from '../../engine/study/execute.ts'
import type { StudyOptions } from '../../engine/study/resolve.ts'
import { type JobCalls, type JobStart, type JobsCalls, threadChannel } from './calls.ts'

/** Threads that train runs of a notebook side by side. */
export interface Jobs {
  /** One trainer a thread, for a study of the notebook and those that it starts from. */
  trainersOf(study: string, options: StudyOptions & { signal?: AbortSignal | undefined }): Trainer[]
  close(): Promise<void>
}

/** Starts so many jobs. Files, weights and states they get from `source`; what happens, they hand to whoever listens. */
export function startJobs(count: number, start: JobStart, source: JobsCalls): Jobs {
  const jobs = Array.from({ length: count }, () => startJob(start, source))
  return {
    trainersOf: (study, { quick, only, seeds, signal }) =>
      jobs.map(
        ({ remote }) =>
          async function* train({ key }, id) {
            const interrupt = () => void remote.interrupt().catch(() => {}) // one that has ended does not answer
            await remote.begin({ study, options: { quick, only, seeds }, key, id })
            if (signal?.aborted) interrupt()
            signal?.addEventListener('abort', interrupt)
            try {
              for (let event = await remote.next(); event; event = await remote.next()) yield event
            } finally {
              signal?.removeEventListener('abort', interrupt)
            }
          },
      ),
    close: async () => {
      await Promise.all(jobs.map(({ end }) => end()))
    },
  }
}

function startJob(start: JobStart, { list, read, findDone, readWeights, readState }: JobsCalls) {
  const thread = new Worker(new URL('./job.ts', import.meta.url), { workerData: start })
  const calls: JobsCalls = { list, read, findDone, readWeights, readState }
  const { remote, close } = connect<JobCalls, JobsCalls>(calls, threadChannel(thread))
  thread.on('error', (error) => close(`a job ended: ${error.message}`))
  thread.on('exit', (code) => close(`a job ended with code ${code}`))
  return { remote, end: () => thread.terminate() }
}
