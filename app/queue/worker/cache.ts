import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { MixlabError, messageOf } from '../../../engine/errors.ts'
import { openObjects } from '../../store/objects.ts'
import { ensureFolder } from '../../workspace/folder.ts'
import type { ObjectName } from '../job.ts'
import type { Names } from '../names.ts'
import { getObject } from '../objects.ts'

/** How often, and after how many ms each, an object is asked for that the server has not: its owner keeps it again. */
const TRIES = 10
const WAIT_MS = 1000

/** Notebooks and data that a worker has on its disk, by SHA-256. */
export type Cache = (redis: Redis, names: Names, name: ObjectName, signal: AbortSignal) => Promise<Uint8Array>

/**
 * The cache in a folder. A disk that is full stops nothing: what it does not take is fetched again, and `say` says it once. It
 * throws MixlabError `data` for what nobody has.
 */
export function openCache(folder: string, say: (line: string) => void = () => {}): Cache {
  ensureFolder(folder)
  const objects = openObjects(folder)
  let full = false

  function keep(bytes: Uint8Array): void {
    try {
      objects.write(bytes)
    } catch (error) {
      if (!full) say(`notebooks and data are not kept here: ${messageOf(error)}`)
      full = true
    }
  }

  let last: { sha256: string; bytes: Uint8Array } | null = null // what is read in pieces is read once
  return async (redis, names, name, signal) => {
    if (last?.sha256 === name.sha256) return last.bytes
    let bytes = objects.read(name.sha256)
    for (let tries = 0; !bytes && tries < TRIES; tries++) {
      bytes = await getObject(redis, names.data, name)
      if (bytes) keep(bytes)
      else {
        await redis.del(names.data) // its owner keeps them all again
        await sleep(WAIT_MS, undefined, { signal })
      }
    }
    if (!bytes) throw new MixlabError('data', name.sha256.slice(0, 8), 'is in the queue no more; its workspace has it')
    last = { sha256: name.sha256, bytes }
    return bytes
  }
}
