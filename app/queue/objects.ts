import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { ObjectName } from './job.ts'

/** Larger ones are kept in parts of so many bytes, so that no answer of the server takes long. */
const PART_BYTES = 2 ** 22

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const nameOf = (bytes: Uint8Array): ObjectName => ({ sha256: sha256(bytes), size: bytes.length })

/** The fields in which an object is kept in a hash of Redis; `place` tells equal ones apart that are removed apart. */
export function fieldsOf({ sha256, size }: ObjectName, place = ''): string[] {
  const parts = Math.max(1, Math.ceil(size / PART_BYTES))
  return Array.from({ length: parts }, (_, i) => `${sha256}${place && `@${place}`}.${i}`)
}

/** What to write of an object: its fields, each with its bytes. */
export function partsOf(name: ObjectName, bytes: Uint8Array, place = ''): [field: string, bytes: Buffer][] {
  return fieldsOf(name, place).map((field, i) => {
    const part = bytes.subarray(i * PART_BYTES, (i + 1) * PART_BYTES)
    return [field, Buffer.from(part.buffer, part.byteOffset, part.byteLength)]
  })
}

/** Keeps an object in a hash of Redis, unless it is there. */
export async function putObject(redis: Redis, hash: string, name: ObjectName, bytes: Uint8Array): Promise<void> {
  const fields = fieldsOf(name)
  if (await redis.hexists(hash, fields.at(-1) as string)) return
  for (const [field, part] of partsOf(name, bytes)) await redis.hset(hash, field, part)
}

/** The bytes of an object, which have its SHA-256; null where they are not there, or others. */
export async function getObject(redis: Redis, hash: string, name: ObjectName, place = ''): Promise<Uint8Array | null> {
  const parts: Buffer[] = []
  for (const field of fieldsOf(name, place)) {
    const part = await redis.hgetBuffer(hash, field)
    if (!part) return null
    parts.push(part)
  }
  const bytes = Buffer.concat(parts)
  return sha256(bytes) === name.sha256 ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) : null
}
