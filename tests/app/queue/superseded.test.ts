import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Names } from '../../../app/queue/names.ts'
import type { OwnedQueue } from '../../../app/queue/owner/owner.ts'
import { readResume, takeUp } from '../../../app/queue/resume.ts'
import { createSender, type Sender } from '../../../app/queue/worker/sender.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { head } from './head.ts'
import { jobOf, key, openedQueue, packed, post, step, workOf } from './opened.ts'
import { type QueueServer, skipLine, startServer } from './server.ts'

type Checkpoint = Extract<TrainEvent, { type: 'checkpoint' }>
const start: TrainEvent = { type: 'start', steps: 100, parameters: 1 }
/** A checkpoint whose files say what they are. */
const checkpoint = (step: number, isBest = false): Checkpoint => ({
  ...{ type: 'checkpoint', step, weights: Uint8Array.of(step, 0), state: Uint8Array.of(step, 1) },
  ...(isBest && { best: Uint8Array.of(step, 2), bestStep: step }),
})
const placeholder = (step: number): TrainEvent => ({ type: 'step', step, ms: 0 })

/** Each event by itself, so that no checkpoint waits for the next one. */
async function send(sender: Sender, ...events: TrainEvent[]): Promise<void> {
  for (const event of events) {
    sender.put(event)
    await sender.flush()
  }
}

/** So many events of an attempt, as the workspace gets them. */
async function take(queue: OwnedQueue, count: number): Promise<TrainEvent[]> {
  const got: TrainEvent[] = []
  while (got.length < count) {
    const events = await queue.events(key, 1, got.length, got.length)
    if (!Array.isArray(events)) throw new Error(JSON.stringify(events))
    got.push(...events)
  }
  return got
}

describe.skipIf(skipLine())('a checkpoint that a later one has replaced', () => {
  let server: QueueServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server?.close())

  async function opened() {
    const workspace = await openedQueue(server)
    const queue = await workspace.open()
    const attempt = queue.attempt(workOf())
    const { nonce } = await jobOf(workspace.jobs, workspace.signer)
    const senderOf = (number: number) =>
      createSender(workspace.sending, workspace.names, { run: key, nonce, attempt: number }, head)
    return { ...workspace, queue, attempt, nonce, senderOf }
  }
  const objects = async (names: Names) =>
    (await server.redis.hvals(names.objects(key))).filter((value) => value.length === 2)

  it('is in the queue no more while the workspace is away, but for the best weights', async () => {
    const { queue, open, senderOf, names } = await opened()
    await queue.close()
    const sender = senderOf(1)
    await send(sender, start, checkpoint(1), checkpoint(2, true))
    for (let step = 3; step <= 9; step++) {
      await send(sender, checkpoint(step))
      expect(await objects(names)).toHaveLength(4)
    }
    const again = await open()
    expect(await again.attempt(workOf())).toMatchObject({ number: 1 })
    const { state: _, ...best } = checkpoint(2, true)
    const between = [3, 4, 5, 6, 7, 8].map(placeholder)
    expect(await take(again, 10)).toEqual([start, placeholder(1), best, ...between, checkpoint(9)])

    await send(sender, checkpoint(10, true), checkpoint(11, true))
    expect(await objects(names)).toHaveLength(3)
    expect((await readResume(server.redis, names, key))?.step).toBe(11)
    sender.stop()
  })

  it('is taken as it is by a workspace that has it before the next one comes', async () => {
    const { queue, attempt, senderOf } = await opened()
    const sender = senderOf(1)
    const sent = [start, checkpoint(1, true), step(2), checkpoint(2), checkpoint(3)]
    await send(sender, ...sent.slice(0, 4))
    expect(await attempt).toMatchObject({ number: 1 })
    const { state: _, ...best } = checkpoint(1, true)
    expect(await take(queue, 4)).toEqual([start, best, step(2), checkpoint(2)])
    await send(sender, ...sent.slice(4))
    expect(await queue.events(key, 1, 4, 4)).toEqual([checkpoint(3)])
    sender.stop()
  })

  it('is lost where its best weights are, which no later one has: the run is queued anew', async () => {
    const { queue, attempt, senderOf, names, said } = await opened()
    const sender = senderOf(1)
    await send(sender, start, checkpoint(1, true), checkpoint(2))
    await attempt
    const all = await server.redis.hgetallBuffer(names.objects(key))
    const field = Object.keys(all).find((name) => all[name]?.equals(Uint8Array.of(1, 2)))
    expect(await server.redis.hdel(names.objects(key), `${field}`)).toBe(1)
    expect(await queue.events(key, 1, 0, 0)).toEqual([start])
    expect(await queue.events(key, 1, 1, 1)).toEqual({ lost: 'a file of it was lost' })
    expect(said.join()).toContain('is queued anew: a file of it was lost')
    sender.stop()
  })

  it('stays for the attempt that goes on from it, whatever one does that comes late', async () => {
    const { senderOf, names } = await opened()
    const [late, next] = [senderOf(1), senderOf(2)]
    await send(late, start, checkpoint(1, true))
    const resumed = await takeUp(server.redis, names, key, 2)
    expect(resumed).toMatchObject({ step: 1, bytes: { state: Uint8Array.of(1, 1), best: Uint8Array.of(1, 2) } })
    await send(late, checkpoint(5, true))
    expect(await takeUp(server.redis, names, key, 3)).toMatchObject({ step: 1, bytes: resumed?.bytes })
    await send(next, checkpoint(2))
    expect((await readResume(server.redis, names, key))?.step).toBe(1) // the third one has taken it up meanwhile
    late.stop()
    next.stop()
  })

  it('is nothing to go on from where a file of it is not there', async () => {
    const { senderOf, names } = await opened()
    const sender = senderOf(1)
    await send(sender, start, checkpoint(1, true))
    sender.stop()
    for (const field of await server.redis.hkeys(names.objects(key)))
      if (field !== 'attempt') await server.redis.hdel(names.objects(key), field)
    expect(await takeUp(server.redis, names, key, 2)).toBeNull()
  })

  it('is not gone on from where what came before it has not come', async () => {
    const { queue, attempt, signer, nonce, said, jobs } = await opened()
    await post(server.redis, signer, { nonce, head })
    await post(server.redis, signer, { nonce, events: packed({ ...start, resumedAt: 5 } as TrainEvent) })
    await attempt
    const why = 'it goes on from step 5, which has not come'
    expect(await queue.events(key, 1, 0, 0)).toEqual({ lost: why })
    expect(said.join()).toContain(`run ${key.slice(0, 8)} is queued anew: ${why}`)
    await expect.poll(async () => (await jobOf(jobs, signer)).base).toBe(1)
  })
})
