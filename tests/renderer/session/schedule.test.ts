import { expect, it } from 'vitest'
import { analyze } from '../../../engine/notebook/graph.ts'
import { schedule } from '../../../renderer/session/schedule.ts'

it('keeps a cell that analysis does not know, so that its error shows', () => {
  expect(schedule(analyze([]), {}, ['gone'])).toEqual([{ id: 'gone', wanted: true }])
})
