import { describe, expect, it } from 'vitest'
import type { Store } from '../../../../app/store/index.ts'
import { stores } from '../openedStores.ts'
import { metricEvents, sampleRun } from '../samples.ts'

const begin = (store: Store, attempt?: number) => store.beginRun(sampleRun(attempt === undefined ? {} : { attempt }))
const late = (attempt: number, latest: number) => {
  const message = `run 1: attempt ${attempt} is too late, ${latest} has taken it up`
  return expect.objectContaining({ code: 'owner', message })
}
const steps = (store: Store) => store.readSeries([1], 'loss')[0]?.steps

describe('an attempt with a number from outside', () => {
  it('takes over a run in training from a lower one, whose events are refused from then on', () => {
    const [store, other] = stores()
    expect(begin(store, 1)).toEqual({ id: 1, epoch: 1 })
    store.record(1, metricEvents('loss', 0, 3), { epoch: 1, batch: 3 })
    expect(begin(other, 3)).toEqual({ id: 1, epoch: 3 })
    const refused = { code: 'owner', message: 'run 1: its owner 1 is too late, 3 has taken it up' }
    expect(() => store.record(1, metricEvents('loss', 3, 4), { epoch: 1, batch: 4 })).toThrow(
      expect.objectContaining(refused),
    )
    expect(() => begin(store, 2)).toThrow(late(2, 3))
    other.record(1, metricEvents('loss', 3, 5), { epoch: 3, batch: 2 })
    expect(steps(store)).toEqual([0, 1, 2, 3, 4])
  })

  it('goes on behind the last of its events that is recorded, once its recording stopped', () => {
    const [store, other] = stores()
    begin(store, 2)
    store.record(1, metricEvents('loss', 0, 3), { epoch: 2, batch: 3 })
    expect(begin(other, 2)).toBeNull() // the first store still records it
    store.close()
    expect(begin(other, 2)).toEqual({ id: 1, epoch: 2, after: 3 })
    other.record(1, metricEvents('loss', 0, 3), { epoch: 2, batch: 3 })
    other.record(1, metricEvents('loss', 3, 4), { epoch: 2, batch: 4 })
    expect(steps(other)).toEqual([0, 1, 2, 3])
  })

  it('is refused where the store has given the same number itself, and counts on from there otherwise', () => {
    const [store] = stores()
    begin(store)
    expect(() => begin(store, 1)).toThrow(late(1, 1))
    expect(begin(store)).toBeNull()
    expect(begin(store, 2)).toEqual({ id: 1, epoch: 2 })
    store.record(1, [{ type: 'interrupted', step: 0 }], { epoch: 2 })
    expect(begin(store)).toEqual({ id: 1, epoch: 3 })
    expect(() => begin(store, 2)).toThrow(late(2, 3))
  })

  it('leaves a run that is done as it is', () => {
    const [store] = stores()
    begin(store, 1)
    store.record(1, [{ type: 'done', step: 3 }], { epoch: 1, batch: 1 })
    expect(begin(store, 2)).toBeNull()
  })
})
