import { expect, it } from 'vitest'
import { stores } from '../openedStores.ts'
import { metricEvents, sampleRun } from '../samples.ts'

const { key } = sampleRun()

it('knows the latest attempt at a run, however it ended, and whether one is done', () => {
  const [store] = stores()
  expect(store.latestAttempts([key])).toEqual([])
  store.beginRun(sampleRun({ attempt: 7 }))
  store.record(1, metricEvents('loss', 0, 3), { epoch: 7, batch: 3 })
  const first = { key, id: 1, status: 'running', number: 7, events: 3, done: false }
  expect(store.latestAttempts([key, 'other'])).toEqual([first])
  store.record(1, [{ type: 'failed', step: 3, message: 'broken' }], { epoch: 7, batch: 4 })
  expect(store.latestAttempts([key])).toEqual([{ ...first, status: 'failed', events: 4 }])
  store.beginRun(sampleRun({ attempt: 9 }))
  store.record(2, [{ type: 'done', step: 3 }], { epoch: 9, batch: 1 })
  const done = { key, id: 2, status: 'done', number: 9, events: 1, done: true }
  expect(store.latestAttempts([key])).toEqual([done])
  store.archiveRuns([2], true)
  expect(store.latestAttempts([key])).toEqual([{ ...done, done: false }])
})

it('records what happened earlier with its time, so that a run has the time that it was trained', () => {
  const [store] = stores()
  store.beginRun(sampleRun({ attempt: 1 }), 1_000)
  store.record(
    1,
    [{ type: 'start', steps: 9, parameters: 1 }, ...metricEvents('loss', 0, 3)],
    { epoch: 1, batch: 4 },
    3_000,
  )
  store.record(1, [{ type: 'interrupted', step: 2 }], { epoch: 1 }, 3_500)
  expect(store.showRuns([1])[0]).toMatchObject({ startedAt: 1_000, endedAt: 3_500, ms: 2_500 })
  store.beginRun(sampleRun({ attempt: 2 }), 10_000)
  store.record(1, [{ type: 'done', step: 9 }], { epoch: 2, batch: 1 }, 11_000)
  expect(store.showRuns([1])[0]).toMatchObject({ endedAt: 11_000, ms: 3_500 })
})
