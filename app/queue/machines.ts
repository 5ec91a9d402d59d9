import type { Redis } from 'ioredis'
import { z } from 'zod'
import { count, list, number, text, whole } from '../../engine/call.ts'
import { MACHINE_ORDERS, type MachineOrder } from '../../engine/records/workspace.ts'
import { valueOfJson } from '../bounded.ts'
import type { Names } from './names.ts'

/** Milliseconds between two signs of life of a worker, and after which one without is gone. */
export const BEAT_MS = 1000
export const GONE_MS = 15_000

const machine = z.strictObject({
  id: text,
  host: text,
  mixlab: text,
  backend: text,
  device: text,
  cores: count,
  memory: count,
  jobs: count,
  threads: count,
  /** Bytes of memory: what its processes take, and what the machine has left. */
  used: number,
  free: number,
  /** When it began to work, in ms since 1970. */
  since: count,
  state: z.enum(['works', 'pauses', 'leaves']),
  runs: list(
    z.strictObject({
      ...{ key: text, study: text, variant: text, seed: whole, attempt: count },
      ...{ step: count, steps: count, stepsPerSecond: number },
    }),
  ),
})
/** What a worker says of itself. */
export type Machine = z.output<typeof machine>

/** Says that a worker lives, and hears what it was told since. Those that are gone leave the list. */
export async function beat(redis: Redis, names: Names, said: Machine): Promise<MachineOrder | null> {
  const answers = await redis
    .pipeline() // a server that is full would take nothing of a transaction, and still says what is told
    .zadd(names.machines, String(Date.now()), said.id)
    .set(names.machine(said.id), JSON.stringify(said), 'PX', GONE_MS)
    .get(names.told(said.id))
    .pexpire(names.told(said.id), GONE_MS)
    .zremrangebyscore(names.machines, '-inf', String(Date.now() - GONE_MS))
    // where all have died nobody takes them from the list
    .pexpire(names.machines, GONE_MS)
    .exec()
  if (isOfOtherType(answers?.[0]?.[0])) await redis.del(names.machines) // somebody else has left it there
  const told = answers?.[2]?.[1]
  return MACHINE_ORDERS.find((order) => order === told) ?? null
}

const isOfOtherType = (error: unknown) => error instanceof Error && error.message.startsWith('WRONGTYPE')

/** Removes a worker from the list, also where the server is full. */
export async function leaveMachines(redis: Redis, names: Names, id: string): Promise<void> {
  await redis.pipeline().zrem(names.machines, id).del(names.machine(id), names.told(id)).exec()
}

/**
 * The workers that live, in the order of their names, and when each was last `seen`, in ms since 1970. It only reads: a full
 * server refuses what writes.
 */
export async function listMachines(redis: Redis, names: Names): Promise<(Machine & { seen: number })[]> {
  const since = String(Date.now() - GONE_MS)
  const scored = await redis.zrangebyscore(names.machines, since, '+inf', 'WITHSCORES').catch((error) => {
    if (isOfOtherType(error)) return [] // the next worker that says that it lives removes it
    throw error
  })
  const seen = scored.filter((_, i) => i % 2 === 1).map(Number)
  const ids = scored.filter((_, i) => i % 2 === 0)
  const said = ids.length > 0 ? await redis.mget(...ids.map((id) => names.machine(id))) : []
  const found = said.flatMap((each, i) => {
    const known = each ? machine.safeParse(valueOfJson(each)).data : undefined
    return known ? { ...known, seen: seen[i] ?? 0 } : []
  })
  return found.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Tells a worker something, by its id. */
export async function tellMachine(redis: Redis, names: Names, id: string, order: MachineOrder): Promise<void> {
  await redis.set(names.told(id), order, 'PX', GONE_MS)
}

/** A function that looks whether anybody works for a workspace whose runs wait, and says once where nobody does. */
export function aloneLook(redis: Redis, names: Names, say: () => void): () => Promise<void> {
  let said = false
  return async () => {
    if (said || (await listMachines(redis, names)).length > 0) return
    said = true
    say()
  }
}
