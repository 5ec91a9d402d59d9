import { type Channel, connect } from '../../channel.ts'
import { sharedDraws } from '../../data/augment/sharedDraws.ts'
import type { SpawnAugmenter } from '../../data/augment/thread.ts'
import { picturesOf } from '../../data/images/pictures.ts'
import { LostPlace, MixlabError, messageOf } from '../../errors.ts'
import type { StudyOptions } from '../design/resolve.ts'
import { lostTooOften, MAX_PROCESS_LOSSES } from '../runners/attempts.ts'
import { type Place, placeFrom, type Runner } from '../runners/runner.ts'
import type { JobCalls, JobsCalls, SharedCalls } from './calls.ts'

/** A thread that runs `serveJob`. */
export interface JobThread {
  channel: Channel
  end(): unknown
}

/** Starts such a thread; how, depends on the environment. `broken` is called where it breaks down or ends. */
export type SpawnJob = (broken: (why: string) => void) => JobThread

/** Places that train runs of a notebook side by side. */
export interface Jobs {
  /**
   * One place per job, for runs of a study, or of the studies that it starts from. `places` throws MixlabError `notebook`
   * where the study is another each time the notebook is evaluated.
   */
  runnerOf(study: string, options: StudyOptions): Runner
  close(): Promise<void>
}

interface Job {
  remote: JobCalls
  /** Why it broke down; null while it works. */
  broken: string | null
  end(): unknown
}

/**
 * So many jobs, each started by its first run, and again by the first one after it broke down. Files, weights and states
 * they get from `source`; what happens, they yield as events. Those that share generated examples have them made by threads
 * that `spawnAugmenter` starts.
 */
export function createJobs(count: number, spawn: SpawnJob, source: JobsCalls, spawnAugmenter?: SpawnAugmenter): Jobs {
  const { drawn, end: endDraws } = sharedDraws(count, spawnAugmenter)
  const { list, read, findDone, readWeights, readState } = source
  const offered: JobsCalls & SharedCalls = {
    list,
    read,
    ...picturesOf(source),
    findDone,
    readWeights,
    readState,
    drawn,
  }
  const places = Array.from({ length: count }, (): { job: Job | null } => ({ job: null }))

  function jobAt(place: { job: Job | null }): Job {
    if (place.job) return place.job
    const { channel, end } = spawn((why) => {
      if (place.job === job) place.job = null
      job.broken ??= why
      close(why)
    })
    const { remote, close } = connect<JobCalls, JobsCalls>(offered, channel)
    const job: Job = { remote, broken: null, end }
    place.job = job
    return job
  }

  /** Asks the job at a place, and the one that takes its place where it breaks down meanwhile. */
  async function ask<Answer>(place: { job: Job | null }, question: (remote: JobCalls) => Promise<Answer>) {
    for (let losses = 1; ; losses++) {
      const job = jobAt(place)
      try {
        return await question(job.remote)
      } catch (error) {
        if (job.broken === null) throw error
        if (losses === MAX_PROCESS_LOSSES) throw new MixlabError('backend', '', lostTooOften(job.broken))
      }
    }
  }

  return {
    runnerOf: (study, { quick, only, seeds }) => ({
      async places(keys, signal) {
        const options = { quick, only, seeds }
        // all start now, not one after the other as they get runs
        const asked = places.slice(0, keys.length).map((place) => ask(place, (job) => job.knows(study, options, keys)))
        for (const each of asked) each.catch(() => {})
        if ((await asked[0]) === false) {
          throw new MixlabError('notebook', '', `study '${study}' is another each time the notebook is evaluated`)
        }
        return places.map((place) => placeAt(() => jobAt(place), study, options, signal))
      },
    }),
    close: async () => {
      endDraws()
      await Promise.all(places.map(({ job }) => job?.end()))
    },
  }
}

function placeAt(jobNow: () => Job, study: string, options: StudyOptions, signal: AbortSignal): Place {
  return placeFrom(async function* train({ key }, id) {
    let step = 0
    const job = jobNow()
    const interrupt = () => void job.remote.interrupt().catch(() => {}) // one that has ended does not answer
    try {
      await job.remote.begin({ study, options, key, id })
      if (signal.aborted) interrupt()
      signal.addEventListener('abort', interrupt)
      for (let events = await job.remote.next(); events; events = await job.remote.next()) {
        for (const event of events) {
          if ('step' in event) step = event.step
          yield event
        }
      }
    } catch (error) {
      if (job.broken !== null) throw new LostPlace(job.broken)
      yield { type: 'failed', step, message: messageOf(error) }
    } finally {
      signal.removeEventListener('abort', interrupt)
    }
  })
}
