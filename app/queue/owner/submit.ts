import { randomUUID } from 'node:crypto'
import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { lastBackend } from '../../../engine/records/backends.ts'
import type { StoredRun } from '../../../engine/records/run.ts'
import type { QueuedWork } from '../../cells/calls.ts'
import type { LocalHost } from '../../host.ts'
import { dataKeeper } from '../data.ts'
import { type Job, type ObjectName, openJob, ownVersions, signJob } from '../job.ts'
import type { Signer } from '../keys.ts'
import type { Names } from '../names.ts'
import { nameOf, partsOf, putObject } from '../objects.ts'
import type { PlacedFile, Resume } from '../resume.ts'

/** What it takes to put jobs into a queue. */
export interface Submission {
  redis: Redis
  names: Names
  signer: Signer
  host: LocalHost
  queueFor(backend: string): Queue
}

/** Functions that put runs into the queue and take them out again. */
export function openSubmission({ redis, names, signer, host, queueFor }: Submission) {
  let kept = new Map<string, Promise<void>>()
  const keep = (name: ObjectName, bytes: Uint8Array): Promise<void> => {
    const known = kept.get(name.sha256) ?? putObject(redis, names.data, name, bytes)
    kept.set(name.sha256, known)
    return known
  }
  let keepData = dataKeeper(host, keep)

  async function keepBytes(bytes: Uint8Array): Promise<ObjectName> {
    const name = nameOf(bytes)
    await keep(name, bytes)
    return name
  }

  async function startsOf(keys: string[]): Promise<Job['before']> {
    const runs = keys.length > 0 ? await host.findDone(keys) : []
    return Promise.all(
      runs.map(async (run) => {
        const weights = async (which: 'last' | 'best') => {
          const bytes = await host.readWeights(run.id, which).catch(() => null)
          return bytes && keepBytes(bytes)
        }
        const [last, best] = await Promise.all([weights('last'), weights('best')])
        return { run, ...(last && { last }), ...(best && { best }) }
      }),
    )
  }

  /** Lets the next attempt go on from where the store has an interrupted run. */
  async function offerState({ key, id, status, backend }: StoredRun, on: string): Promise<void> {
    if (status !== 'interrupted' || lastBackend(backend) !== on) return
    if (await redis.exists(names.resume(key))) return // that one is not older
    const state = await host.readState(id)
    if (!state) return
    const best = await host.readWeights(id, 'best').catch(() => null) // none before the first evaluation
    const many = redis.multi()
    const placed = (bytes: Uint8Array, place: string): PlacedFile => {
      const name = nameOf(bytes)
      for (const [field, part] of partsOf(name, bytes, place)) many.hset(names.objects(key), field, part)
      return { name, place }
    }
    const resume: Resume = { step: 0, state: placed(state, 'state'), ...(best && { best: placed(best, 'best') }) }
    await many.set(names.resume(key), JSON.stringify(resume)).exec()
  }

  return {
    /** The job of a run that is in the queue. Null where there is none, or one of somebody else. */
    async find(key: string, backend: string): Promise<Job | null> {
      const found = await queueFor(backend).getJob(key)
      if (!found) return null
      return openJob(found.data, key, signer)
    },
    /** Puts a run into the queue, whose attempts have numbers above `base`. */
    async add({ run, of, before, notebook, files }: QueuedWork, base: number, stored?: StoredRun): Promise<Job> {
      const { study, backend, ...options } = of
      const job: Job = {
        ...ownVersions,
        workspace: signer.workspace,
        nonce: randomUUID(),
        base,
        run,
        study,
        options: JSON.parse(JSON.stringify(options)),
        backend,
        notebook: await keepBytes(Buffer.from(notebook)),
        files: await keepData(files),
        before: await startsOf(before),
      }
      if (stored) await offerState(stored, backend)
      await queueFor(backend).add('run', signJob(job, signer), { jobId: run.key })
      return job
    },
    /** Keeps notebook and data of a run, unless they are. */
    async keep({ before, notebook, files }: QueuedWork): Promise<void> {
      await Promise.all([keepBytes(Buffer.from(notebook)), keepData(files), startsOf(before)])
    },
    /** Removes a run with all that came of it, unless somebody trains it: then that is told. Returns whether it is gone. */
    async remove(key: string, backend: string, why: string): Promise<boolean> {
      const job = await queueFor(backend).getJob(key)
      if (job) await redis.hset(names.cancelled, key, why).catch(() => 0) // a server that is full hears it later
      const gone =
        !job ||
        (await job.remove().then(
          () => true,
          () => false,
        ))
      await redis.del(names.frames(key), names.objects(key), names.resume(key))
      if (gone) await redis.hdel(names.cancelled, key).catch(() => 0)
      return gone
    },
    /** Keeps notebooks and data again where the server has lost them. */
    forgetKept() {
      kept = new Map()
      keepData = dataKeeper(host, keep)
    },
  }
}

export type Submissions = ReturnType<typeof openSubmission>

/** Where no job is left, removes notebooks and data, and what came late of runs that were over, from a worker that had lost them. */
export async function leave(redis: Redis, queues: Queue[], names: Names): Promise<void> {
  if (redis.status !== 'ready') return
  const counts = await Promise.all(queues.map((queue) => queue.getJobCountByTypes()))
  if (counts.some((count) => count > 0)) return
  await redis.del(names.data)
  for (const pattern of [names.frames('*'), names.objects('*'), names.resume('*')])
    for await (const found of redis.scanStream({ match: pattern, count: 1000 }))
      if (found.length > 0) await redis.del(...found)
}
