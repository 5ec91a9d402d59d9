// A thread that trains runs of a notebook.
import { parentPort, workerData } from 'node:worker_threads'
import { serveJob } from '../../engine/study/jobs/job.ts'
import { spawnAugmenter } from '../augmenter.ts'
import { useBackend as startBackend } from '../backends.ts'
import { studiesIn } from '../studies.ts'
import { type JobStart, threadChannel } from './calls.ts'

const { notebook, backend, threads } = workerData as JobStart

if (!parentPort) throw new Error('a job is a thread')
serveJob(threadChannel(parentPort), {
  spawnAugmenter,
  async evaluate() {
    await startBackend(backend, threads)
    return studiesIn(notebook, () => {}) // the main thread has shown what the cells print
  },
})
