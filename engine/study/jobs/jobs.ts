import { type Channel, connect } from '../../channel.ts'
import { MixlabError, messageOf } from '../../errors.ts'
import type { StudyOptions } from '../design/resolve.ts'
import type { Trainer } from '../execute.ts'
import type { JobCalls, JobsCalls } from './calls.ts'

/** A thread that runs `serveJob`. */
export interface JobThread {
  channel: Channel
  end(): unknown
}

/** Starts such a thread; how, depends on the environment. `broken` is told if it breaks down or ends. */
export type SpawnJob = (broken: (why: string) => void) => JobThread

type TrainingOptions = StudyOptions & { signal?: AbortSignal | undefined }

/** Places that train runs of a notebook side by side. */
export interface Jobs {
  /**
   * One trainer a job, for such runs of a study of the notebook or of those that it starts from. Throws MixlabError
   * `notebook` where the study is another each time the notebook is evaluated.
   */
  trainersOf(study: string, options: TrainingOptions, keys: string[]): Promise<Trainer[]>
  close(): Promise<void>
}

interface Job {
  remote: JobCalls
  end(): unknown
}

/**
 * So many jobs, each started by its first run. One that breaks down fails its run, and the next run starts it again. Files,
 * weights and states they get from `source`; what happens, they hand to whoever listens.
 */
export function createJobs(count: number, spawn: SpawnJob, source: JobsCalls): Jobs {
  const { list, read, findDone, readWeights, readState } = source
  const places = Array.from({ length: count }, (): { job: Job | null } => ({ job: null }))

  function jobAt(place: { job: Job | null }): JobCalls {
    if (place.job) return place.job.remote
    const { channel, end } = spawn((why) => {
      if (place.job?.remote === remote) place.job = null
      close(`the thread that trained this run ended: ${why}`)
    })
    const { remote, close } = connect<JobCalls, JobsCalls>({ list, read, findDone, readWeights, readState }, channel)
    place.job = { remote, end }
    return remote
  }

  return {
    async trainersOf(study, { quick, only, seeds, signal }, keys) {
      const [first] = places
      const options = { quick, only, seeds }
      if (first && !(await jobAt(first).knows(study, options, keys))) {
        throw new MixlabError('notebook', '', `study '${study}' is another each time the notebook is evaluated`)
      }
      return places.map((place) => trainerIn(() => jobAt(place), study, options, signal))
    },
    close: async () => {
      await Promise.all(places.map(({ job }) => job?.end()))
    },
  }
}

function trainerIn(
  jobNow: () => JobCalls,
  study: string,
  options: StudyOptions,
  signal: AbortSignal | undefined,
): Trainer {
  return async function* train({ key }, id) {
    let step = 0
    let interrupt = () => {}
    try {
      const job = jobNow()
      interrupt = () => void job.interrupt().catch(() => {}) // one that has ended does not answer
      await job.begin({ study, options, key, id })
      if (signal?.aborted) interrupt()
      signal?.addEventListener('abort', interrupt)
      for (let event = await job.next(); event; event = await job.next()) {
        if ('step' in event) step = event.step
        yield event
      }
    } catch (error) {
      yield { type: 'failed', step, message: messageOf(error) }
    } finally {
      signal?.removeEventListener('abort', interrupt)
    }
  }
}
