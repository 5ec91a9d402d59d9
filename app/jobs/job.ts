// A thread that trains runs of a notebook, which it evaluates itself: code does not travel between threads.
import { parentPort, workerData } from 'node:worker_threads'
import { connect } from '../../engine/channel.ts'
import { MixlabError } from '../../engine/errors.ts'
import type { Study } from '../../engine/study/compare.ts'
import { type OpenStudy, openStudy } from '../../engine/study/open.ts'
import { trainRun } from '../../engine/study/trainRun.ts'
import type { PlannedRun } from '../../engine/study/types.ts'
import type { TrainEvent } from '../../engine/train/events.ts'
import { spawnAugmenter } from '../augmenter.ts'
import { useBackend as startBackend } from '../backends.ts'
import { studiesIn } from '../studies.ts'
import { type JobCalls, type JobRun, type JobStart, type JobsCalls, threadChannel } from './calls.ts'

const { notebook, backend, threads } = workerData as JobStart
const studies = evaluate()
const opened = new Map<string, Promise<OpenStudy[]>>()
let training: AsyncGenerator<TrainEvent> | null = null
let abort = new AbortController()

const calls: JobCalls = {
  async begin(run) {
    const { planned, open } = await find(run)
    await training?.return(undefined)
    abort = new AbortController()
    training = trainRun(planned, run.id, open, { runs: jobs, spawnAugmenter, signal: abort.signal })
  },
  async next() {
    const result = await training?.next()
    return result?.value ?? null
  },
  async interrupt() {
    abort.abort()
  },
}

if (!parentPort) throw new Error('a job is a thread')
const { remote: jobs } = connect<JobsCalls, JobCalls>(calls, threadChannel(parentPort))

async function evaluate(): Promise<Study[]> {
  await startBackend(backend, threads)
  return studiesIn(notebook, () => {}) // the main thread has shown what the cells print
}

async function find({ study, options, key }: JobRun): Promise<{ planned: PlannedRun; open: OpenStudy }> {
  const called = JSON.stringify([study, options])
  const known = opened.get(called) ?? openAll(study, options)
  opened.set(called, known)
  for (const first of await known) {
    for (let open: OpenStudy | undefined = first; open; open = open.before) {
      const planned = open.planned.find((run) => run.key === key)
      if (planned) return { planned, open }
    }
  }
  throw new MixlabError('notebook', '', `study '${study}' is another each time the notebook is evaluated`)
}

async function openAll(name: string, options: JobRun['options']): Promise<OpenStudy[]> {
  const called = (await studies).filter((study) => study.name === name)
  return Promise.all(called.map((study) => openStudy(study, options, jobs)))
}
