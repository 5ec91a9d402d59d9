import { describe, expect, it } from 'vitest'
import { createLanes, type LaneInTurns } from '../../../../engine/train/steps/lockstep.ts'

/** Meets at each step what the others give, and says so; `log` has what runs when. */
async function* walk(name: string, steps: number, lane: LaneInTurns, log: string[]): AsyncGenerator<string> {
  for (let step = 0; step < steps; step++) {
    log.push(`${name} begins`)
    await null
    log.push(`${name} ends`)
    yield await lane.meet(`${name}${step}`, async (all) => {
      log.push(all.join())
      return all.join()
    })
  }
}

async function collect(events: AsyncGenerator<string>): Promise<string[]> {
  const all: string[] = []
  for await (const event of events) all.push(event)
  return all
}

describe('lanes', () => {
  it('meet at each step, and between two steps one runs at a time', async () => {
    const log: string[] = []
    const lanes = createLanes(3)
    const all = lanes.map((lane, i) => collect(lane.inTurns(walk('abc'[i] as string, 2, lane, log))))
    expect(await Promise.all(all)).toEqual(Array(3).fill(['a0,b0,c0', 'a1,b1,c1']))
    const begun = log.flatMap((line, i) => (line.endsWith('begins') ? [i] : []))
    expect(begun).toHaveLength(6)
    for (const i of begun) expect(log[i + 1]).toBe(`${log[i]?.[0]} ends`)
  })

  it('go on without one that has left, at its end or before it came', async () => {
    const lanes = createLanes(3)
    const [a, b, c] = lanes as [LaneInTurns, LaneInTurns, LaneInTurns]
    const all = [collect(a.inTurns(walk('a', 3, a, []))), collect(b.inTurns(walk('b', 1, b, [])))]
    c.leave()
    expect(await Promise.all(all)).toEqual([['a0,b0,', 'a1,,', 'a2,,'], ['a0,b0,']])
  })

  it('are not held up by one that nobody listens to any more', async () => {
    const [a, b] = createLanes(2) as [LaneInTurns, LaneInTurns]
    const all = collect(a.inTurns(walk('a', 3, a, [])))
    for await (const event of b.inTurns(walk('b', 3, b, []))) {
      expect(event).toBe('a0,b0')
      break
    }
    expect(await all).toEqual(['a0,b0', 'a1,', 'a2,'])
  })

  it('all fail with what they do together', async () => {
    const lanes = createLanes(2)
    const failing = async function* (lane: LaneInTurns): AsyncGenerator<string> {
      yield await lane.meet(1, () => Promise.reject(new Error('is lost')))
    }
    const all = await Promise.allSettled(lanes.map((lane) => collect(lane.inTurns(failing(lane)))))
    expect(all.map((each) => each.status === 'rejected' && String(each.reason))).toEqual(
      Array(2).fill('Error: is lost'),
    )
  })

  it('each fail with what they do by themselves', async () => {
    const [a, b] = createLanes(2) as [LaneInTurns, LaneInTurns]
    const failing = async function* (): AsyncGenerator<string> {
      yield 'begun'
      throw new Error('is not finite')
    }
    const all = await Promise.allSettled([collect(a.inTurns(walk('a', 2, a, []))), collect(b.inTurns(failing()))])
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })
})
