import { type Channel, connect } from '../../channel.ts'
import { drawFrom } from '../../data/augment/sharedDraws.ts'
import { drawBy } from '../../data/generated.ts'
import { MixlabError } from '../../errors.ts'
import type { TrainEvent } from '../../records/events.ts'
import type { PlannedRun } from '../../records/run.ts'
import type { Study } from '../compare.ts'
import { openStudy } from '../open.ts'
import type { OpenStudy } from '../opened.ts'
import { inBatches } from '../recordEvents.ts'
import { type RunEnvironment, trainRun } from '../trainRun.ts'
import { everyRun } from '../tuning/grid.ts'
import type { JobCalls, JobRun, JobsCalls, SharedCalls } from './calls.ts'

/** What a job has around it. */
export interface JobEnvironment extends Pick<RunEnvironment, 'spawnAugmenter'> {
  /** Starts the backend, evaluates the notebook and gives its studies; called once, for the first run. */
  evaluate(): Promise<Study[]>
  /** Whether others train beside it, so that each generated example is made once for all of them. */
  shared?: boolean | undefined
}

/** The work of a thread that trains runs of a notebook, which it evaluates itself: code does not travel between threads. */
export function serveJob(channel: Channel, { evaluate, spawnAugmenter, shared }: JobEnvironment): void {
  let studies: Promise<Study[]> | null = null
  const opened = new Map<string, Promise<OpenStudy[]>>()
  let training: AsyncGenerator<TrainEvent[]> | null = null
  let abort = new AbortController()

  async function find({
    study,
    options,
    key,
  }: Omit<JobRun, 'id'>): Promise<{ planned: PlannedRun; open: OpenStudy } | null> {
    const called = JSON.stringify([study, options])
    const known = opened.get(called) ?? openAll(study, options)
    opened.set(called, known)
    for (const open of (await known).flatMap(withStarts)) {
      const planned = open.planned.find((run) => run.key === key)
      if (planned) return { planned, open }
    }
    return null
  }

  async function openAll(name: string, options: JobRun['options']): Promise<OpenStudy[]> {
    studies ??= evaluate()
    const called = (await studies).filter((study) => study.name === name)
    const all = called.map((study) => everyRun(study, options))
    return Promise.all(all.map(({ study, options }) => openStudy(study, options, source)))
  }

  const calls: JobCalls = {
    async knows(study, options, keys) {
      const found = await Promise.all(keys.map((key) => find({ study, options, key })))
      return found.every((each) => each !== null)
    },
    async begin(run) {
      const found = await find(run)
      if (!found) throw new MixlabError('notebook', '', `study '${run.study}' has no such run here`)
      const { planned, open } = found
      await training?.return(undefined)
      abort = new AbortController()
      training = inBatches(trainRun(planned, run.id, open, { runs: source, spawnAugmenter, signal: abort.signal }))
    },
    async next() {
      const result = await training?.next()
      return result?.value ?? null
    },
    async interrupt() {
      abort.abort()
    },
  }
  const { remote: source } = connect<JobsCalls & SharedCalls, JobCalls>(calls, channel)
  if (shared) drawBy(drawFrom((from, indices) => source.drawn(from, indices)))
}

/** A study and all that it starts from. */
function withStarts(open: OpenStudy): OpenStudy[] {
  return [open, ...open.before.flatMap(withStarts)]
}
