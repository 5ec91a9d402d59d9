import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { expect, onTestFinished } from 'vitest'
import type { QueuedWork } from '../../../app/cells/calls.ts'
import { type LocalHost, openHost } from '../../../app/host.ts'
import { openRedis } from '../../../app/queue/connect.ts'
import { FIELD, type Frame, type Head, packEvent, packFrame } from '../../../app/queue/frames.ts'
import { type Job, openJob } from '../../../app/queue/job.ts'
import { openSigner, type Signer } from '../../../app/queue/keys.ts'
import { namesOf, PREFIX, queueName } from '../../../app/queue/names.ts'
import { type OwnedQueue, openOwnedQueue } from '../../../app/queue/owner/owner.ts'
import { studiesIn } from '../../../app/studies.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { openStudy } from '../../../engine/study/open.ts'
import { freshFolder } from '../store/samples.ts'
import type { QueueServer } from './server.ts'

/** The key of the run of `workOf`. */
export const key = 'ab'.repeat(32)

/** A workspace with a queue on a server, as long as the test lasts. */
export async function openedQueue(server: QueueServer, more: { canary?: (head: Head) => Promise<string | null> } = {}) {
  const folder = freshFolder()
  writeFileSync(join(folder, 'data.txt'), 'some data')
  const host = openHost({ workspace: folder })
  const signer = openSigner(join(folder, '.mixlab'))
  const said: string[] = []
  const around = { address: server.address, signer, host, folder, canary: async () => null, ...more }
  const queues: OwnedQueue[] = []
  const open = async () => {
    const queue = await openOwnedQueue({ ...around, say: (line) => void said.push(line) })
    queues.push(queue)
    return queue
  }
  const jobs = new Queue(queueName(signer.workspace, 'simd'), { connection: server.redis, prefix: PREFIX })
  jobs.on('error', () => {}) // its server is away for a while
  const sending = await openRedis(server.address)
  onTestFinished(async () => {
    for (const queue of queues) await queue.close()
    await jobs.close()
    sending.disconnect()
    host.close()
  })
  return { open, signer, said, jobs, sending, folder, host, names: namesOf(signer.workspace) }
}

/** A run with data beside its notebook. */
export const workOf = (): QueuedWork => ({
  run: { key, study: 's', variant: 'v', seed: 1, spec: {}, code: '' },
  of: { study: 's', backend: 'simd' },
  ...{ before: [], notebook: '// %% a\n', files: { read: new Set(['data.txt']), listed: new Set(['.']) } },
})

/** The first run of the study of a notebook. */
export async function plannedWork(notebook: string, host: LocalHost): Promise<QueuedWork> {
  const [study] = await studiesIn(notebook, () => {})
  if (!study) throw new Error('the notebook has no study')
  const [run] = (await openStudy(study, {}, host)).planned
  if (!run) throw new Error('the study has no run')
  const files = { read: new Set<string>(), listed: new Set<string>() }
  return { run, of: { study: study.name, backend: 'simd' }, before: [], notebook, files }
}

/** The job of that run, once it is in the queue. */
export async function jobOf(jobs: Queue, signer: Signer): Promise<Job> {
  await expect.poll(async () => (await jobs.getJob(key)) !== undefined).toBe(true)
  return openJob((await jobs.getJob(key))?.data, key, signer)
}

/** What a worker sends, without one. */
export const post = (redis: Redis, signer: Signer, frame: Partial<Frame> & Pick<Frame, 'nonce'>, of = key) =>
  redis.xadd(
    namesOf(signer.workspace).frames(of),
    '*',
    FIELD,
    packFrame({ run: key, attempt: 1, first: 0, events: [], ...frame }),
  )

export const packed = (...events: TrainEvent[]) => events.map((event) => packEvent(event).packed)

export const step = (step: number): TrainEvent => ({ type: 'step', step, ms: 1 })
