import { Redis } from 'ioredis'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import { shownAddress } from './address.ts'

/**
 * Milliseconds within which a server has to answer at first, and between two tries to reach it again at most; and after which
 * one that does not answer is away, as where a cable was pulled: time enough for a part of a file at 300 kB/s.
 */
const FIRST_ANSWER_MS = 5000
const MAX_RETRY_MS = 1000
const SILENT_MS = 15_000

/** Errors of the first connection in words that say what to do. */
const inWords = (error: string): string =>
  error.startsWith('NOAUTH')
    ? 'it wants a password: redis://:password@host, or redis://user:password@host'
    : error.includes('certificate')
      ? `${error}; NODE_EXTRA_CA_CERTS names the file of its CA`
      : error

/**
 * A connection to Redis or Valkey, which once it stood comes back by itself within about a second of the server. Throws
 * MixlabError `backend` where there is no answer at first.
 */
export async function openRedis(address: string, onBack: () => void = () => {}): Promise<Redis> {
  const redis = new Redis(address, {
    lazyConnect: true,
    maxRetriesPerRequest: null, // BullMQ asks for it: what waits is sent once the server is back
    connectTimeout: FIRST_ANSWER_MS,
    keepAlive: 10_000,
    socketTimeout: SILENT_MS,
    retryStrategy: (times) => Math.min(times * 100, MAX_RETRY_MS),
  })
  let last = 'no answer'
  redis.on('error', (error) => {
    last = messageOf(error)
  })
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(() => timer.reject(new Error(last)), FIRST_ANSWER_MS)
  try {
    await Promise.race([redis.connect().then(() => redis.ping()), timer.promise])
  } catch (error) {
    redis.disconnect()
    const why = messageOf(error) === 'Connection is closed.' ? last : messageOf(error)
    throw new MixlabError('backend', shownAddress(address), `the queue does not answer: ${inWords(why)}`)
  } finally {
    clearTimeout(timeout)
  }
  redis.on('ready', onBack)
  return redis
}

/**
 * Another connection to the same server, whose commands fail at once where it breaks, also those under way: without
 * `maxRetriesPerRequest` ioredis forgets these where it does not send them again, and who waits for one waits for ever.
 */
export function openSending(redis: Redis): Redis {
  const sending = redis.duplicate({
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  })
  sending.on('error', () => {}) // it comes back
  sending.connect().catch(() => {})
  return sending
}
