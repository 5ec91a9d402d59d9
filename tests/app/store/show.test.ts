import { expect, it } from 'vitest'
import { freshStore } from './openedStores.ts'
import { begun, metricEvents, sampleRun } from './samples.ts'

it('shows several runs as it shows each, in the order asked for', () => {
  const store = freshStore()
  const origin = { notebook: 'a.ts', cell: 'a', name: null, source: 'a cell', quick: false }
  const ids = ['a', 'b', 'c'].map((variant) => begun(store.beginRun(sampleRun({ variant, origin }))))
  for (const id of ids) store.record(id, metricEvents('loss', 0, 10 * id))
  const asked = ids.toReversed()
  expect(store.showRuns(asked)).toEqual(asked.map((id) => store.showRun(`${id}`)))
  expect(store.showRuns([1, 1]).map(({ id }) => id)).toEqual([1, 1])
  expect(store.showRuns([])).toEqual([])
  expect(() => store.showRuns([1, 99])).toThrow('run 99: no such run')
})
