import type { Job } from 'bullmq'
import type { Redis } from 'ioredis'
import { LOCK_MS } from './names.ts'

/** Takes a lock that ran out while the server was away, unless somebody has taken the run since. */
const TAKE_AGAIN = `
if redis.call('hget', KEYS[1], 'ats') == ARGV[1]
  and redis.call('lpos', KEYS[2], ARGV[2])
  and redis.call('set', KEYS[1] .. ':lock', ARGV[3], 'PX', ARGV[4], 'NX') then return 1 end
return 0`

/**
 * Whether a worker still holds the lock of a run, for the next LOCK_MS. One that ran out is taken again where nobody else has
 * the run: what a worker trained while the server was away counts. Throws where the server does not say.
 */
export async function holdLock(redis: Redis, job: Job): Promise<boolean> {
  const { id = '', token = '', queueQualifiedName: queue, attemptsStarted } = job
  if ((await job.extendLock(token, LOCK_MS)) === 1) return true
  const keys = [`${queue}:${id}`, `${queue}:active`]
  const taken = await redis.eval(TAKE_AGAIN, keys.length, ...keys, String(attemptsStarted), id, token, LOCK_MS)
  return taken === 1
}
