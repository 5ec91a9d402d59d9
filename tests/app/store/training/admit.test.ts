import { describe, expect, it } from 'vitest'
import type { Store } from '../../../../app/store/index.ts'
import type { BegunRun, RunStart } from '../../../../engine/records/run.ts'
import { stores } from '../openedStores.ts'
import { metricEvents, sampleRun } from '../samples.ts'

function begin(store: Store, changes?: Partial<RunStart>): BegunRun {
  const run = store.beginRun(sampleRun(changes))
  if (!run) throw new Error('not begun')
  return run
}

const points = (store: Store, { id }: BegunRun) => store.readSeries([id], 'loss')[0]?.steps
const interrupted = [{ type: 'interrupted', step: 2 } as const]

describe('the owner of a run', () => {
  it('has a number that rises whenever somebody takes the run up', () => {
    const [store, other] = stores()
    const first = begin(store)
    expect(first.epoch).toBe(1)
    expect(begin(store, { variant: 'other' }).epoch).toBe(1)
    store.record(first.id, interrupted, { epoch: 1, batch: 1 })
    expect(begin(other)).toEqual({ id: first.id, epoch: 2 })
    other.record(first.id, interrupted, { epoch: 2, batch: 1 })
    expect(begin(store)).toEqual({ id: first.id, epoch: 3 })
  })

  it('is the only one whose events are recorded, whoever comes too late, also once it has ended', () => {
    const [store, other] = stores()
    const run = begin(store)
    store.record(run.id, metricEvents('loss', 0, 3), { epoch: 1, batch: 1 })
    store.record(run.id, interrupted, { epoch: 1, batch: 2 })
    begin(other)
    const late = () => store.record(run.id, metricEvents('loss', 3, 6), { epoch: 1, batch: 3 })
    const refused = { code: 'owner', message: `run ${run.id}: its owner 1 is too late, 2 has taken it up` }
    expect(late).toThrow(expect.objectContaining(refused))
    other.record(run.id, [{ type: 'done', step: 3 }], { epoch: 2, batch: 1 })
    expect(late).toThrow(expect.objectContaining(refused))
    expect(points(store, run)).toEqual([0, 1, 2])
    expect(store.showRun(`${run.id}`).status).toBe('done')
  })

  it('records a batch once, however often it is sent', () => {
    const [store] = stores()
    const run = begin(store)
    for (const batch of [1, 1, 2, 1, 2])
      store.record(run.id, metricEvents('loss', batch, batch + 1), { epoch: 1, batch })
    expect(points(store, run)).toEqual([1, 2])
    store.record(run.id, interrupted, { epoch: 1, batch: 3 })
    store.record(run.id, interrupted, { epoch: 1, batch: 3 })
    expect(store.showRun(`${run.id}`).status).toBe('interrupted')
  })

  it('goes on with a run that its store has interrupted without it, without the time between', () => {
    const [store, other] = stores()
    const run = begin(store)
    store.record(run.id, metricEvents('loss', 0, 3), { epoch: 1, batch: 1 })
    store.close()
    expect(other.showRun(`${run.id}`).status).toBe('interrupted')
    const before = other.showRun(`${run.id}`).ms
    const { ms } = other.record(run.id, metricEvents('loss', 0, 3), { epoch: 1, batch: 1 })
    expect(other.showRun(`${run.id}`).status).toBe('running')
    expect(ms).toBeLessThan(before + 5)
    other.record(run.id, metricEvents('loss', 3, 4), { epoch: 1, batch: 2 })
    expect(points(other, run)).toEqual([0, 1, 2, 3])
  })

  it('does not go on with a run that somebody has begun anew meanwhile', () => {
    const [store, other] = stores()
    const run = begin(store)
    store.record(run.id, interrupted, { epoch: 1, batch: 1 })
    expect(begin(other, { backend: 'simd' }).id).not.toBe(run.id)
    const late = () => store.record(run.id, metricEvents('loss', 0, 3), { epoch: 1, batch: 2 })
    expect(late).toThrow(expect.objectContaining({ code: 'owner' }))
    expect(points(store, run)).toEqual([])
  })

  it('learns that it is to stop when it records, in whichever process', () => {
    const [store, other] = stores()
    const run = begin(store)
    const step = (batch: number) => store.record(run.id, [{ type: 'step', step: batch, ms: 1 }], { epoch: 1, batch })
    expect(step(1).stop).toBe(false)
    other.stopRuns([run.id, 99])
    expect(step(2).stop).toBe(true)
    expect(step(2).stop).toBe(true)
    store.record(run.id, interrupted, { epoch: 1, batch: 3 })
    other.stopRuns([run.id]) // nobody trains it
    const again = begin(other)
    expect(other.record(run.id, [{ type: 'step', step: 3, ms: 1 }], { epoch: again.epoch, batch: 1 }).stop).toBe(false)
  })
})
