import { describe, expect, it } from 'vitest'
import { type Frame, type Head, packEvent, packFrame, unpackEvent, unpackFrame } from '../../../../app/queue/frames.ts'
import { ownVersions } from '../../../../app/queue/job.ts'
import { createInbox } from '../../../../app/queue/owner/inbox.ts'
import { environmentOn } from '../../../../engine/records/environment.ts'
import type { TrainEvent } from '../../../../engine/records/events.ts'

const machine = { mixlab: '1', runtime: 'node', platform: 'linux', architecture: 'x64', cores: 1, threads: 1 }
const head: Head = {
  ...{ machine: 'm', backend: 'simd', device: 'd', environment: environmentOn(machine), canary: 'c' },
  ...ownVersions,
}
const step = (step: number) => ({ event: { type: 'step', step, ms: 1 } as TrainEvent })
const frame = (more: Partial<Frame>): Frame => ({ run: 'r', nonce: 'n', attempt: 1, first: 0, events: [], ...more })
const begin = (attempt = 1) => frame({ attempt, head })
const steps = (first: number, count: number, attempt = 1) =>
  frame({ attempt, first, events: Array.from({ length: count }, (_, i) => step(first + i + 1)) })

const opened = (refuses: (head: Head) => string | null = () => null) => createInbox('r', 'n', refuses)

describe('an inbox', () => {
  it('has the events of an attempt in their order, those that were sent twice once', () => {
    const inbox = opened()
    for (const [i, each] of [begin(), steps(0, 3), steps(0, 3), begin(), steps(2, 3)].entries())
      expect(inbox.take(`${i}`, each)).toBeNull()
    expect(inbox.attempt(1)?.events).toEqual([1, 2, 3, 4, 5].map(step))
  })
  it('refuses a result for another run, and one of an earlier job', () => {
    const inbox = opened()
    expect(inbox.take('1', { ...begin(), run: 'other' })?.why).toBe('a result of run other came for run r')
    expect(inbox.take('2', { ...begin(), nonce: 'old' })?.why).toBe('a result of an earlier job came for run r')
    expect(inbox.attempt(1)).toBeNull()
  })
  it('takes nothing of an attempt once a higher one has begun: a frame that is replayed changes nothing', () => {
    const inbox = opened()
    for (const each of [begin(), steps(0, 2), begin(2), steps(0, 1, 2), steps(2, 2), begin()]) inbox.take('1', each)
    expect(inbox.attempt(1)?.events).toHaveLength(2)
    expect(inbox.attempt(2)?.events).toHaveLength(1)
    expect(inbox.latest()).toBe(2)
  })
  it('does not believe a worker whose word is refused, whatever it sends', () => {
    const inbox = opened(() => 'it is of Mixlab 9')
    expect(inbox.take('1', begin())).toEqual({ why: 'm is not believed: it is of Mixlab 9', attempt: true })
    expect(inbox.take('2', steps(0, 2))).toBeNull()
    expect(inbox.attempt(1)).toBeNull()
  })
  it('believes neither of two workers that have one number, as a server that lost its last second may hand it out', () => {
    const inbox = opened()
    for (const each of [begin(), steps(0, 2)]) inbox.take('1', each)
    const other = frame({ head: { ...head, machine: 'other' } })
    expect(inbox.take('2', other)).toEqual({ why: 'm and other both made attempt 1 at run r', attempt: true })
    for (const each of [steps(0, 2), begin(), other]) expect(inbox.take('3', each)).toBeNull()
    expect(inbox.attempt(1)).toBeNull()
  })
  it('refuses events of an attempt that has not begun, and an attempt of which events were lost', () => {
    const inbox = opened()
    expect(inbox.take('1', steps(0, 1))?.why).toContain('which has not begun')
    inbox.take('2', begin())
    inbox.take('3', steps(0, 1))
    expect(inbox.take('4', steps(2, 1))).toMatchObject({ attempt: true })
    expect(inbox.attempt(1)).toBeNull()
  })
  it('forgets what is recorded, and names the entries that nobody needs any more', () => {
    const inbox = opened()
    for (const [i, each] of [begin(), steps(0, 2), steps(2, 2)].entries()) inbox.take(`${i}`, each)
    expect(inbox.recorded(1, 3)).toEqual(['1'])
    expect(inbox.attempt(1)).toMatchObject({ first: 3, events: [step(4)] })
    expect(inbox.held()).toBe(1)
  })
  it('goes on behind what was recorded before it was opened', () => {
    const inbox = opened()
    inbox.take('1', begin())
    inbox.take('2', steps(7, 2))
    expect(inbox.attempt(1)).toMatchObject({ first: 7, events: [step(8), step(9)] })
  })
})

describe('frames', () => {
  it('carry events as they are, their files beside them by SHA-256', async () => {
    const event: TrainEvent = { type: 'checkpoint', step: 3, weights: Uint8Array.of(1, 2), state: Uint8Array.of(3) }
    const { packed, files } = packEvent(event)
    const { events } = unpackFrame(packFrame(frame({ events: [packed, step(4)] })))
    expect(events[1]).toEqual(step(4))
    const read = async ({ sha256 }: { sha256: string }) =>
      files.find(({ name }) => name.sha256 === sha256)?.bytes ?? null
    expect(await unpackEvent(events[0] as (typeof events)[0], read)).toEqual(event)
    expect(await unpackEvent(events[0] as (typeof events)[0], async () => null)).toBeNull()
  })
  it('keep numbers that are not finite', () => {
    const event: TrainEvent = { type: 'metric', step: 1, name: 'loss', value: Number.NaN }
    expect(unpackFrame(packFrame(frame({ events: [{ event }] }))).events).toEqual([{ event }])
  })
  it.each([[Buffer.from('no frame')], [Buffer.alloc(0)], [packFrame({ ...frame({}), attempt: 0 })]])(
    'are refused where they are none',
    (bytes) => {
      expect(() => unpackFrame(bytes)).toThrow('frame: is none of this version of Mixlab')
    },
  )
})
