import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  chooseRuns,
  isChosen,
  recallTable,
  setColumns,
  setGrouped,
  setSort,
  useTable,
} from '../../../renderer/runs/state.ts'
import { stubStorage } from '../storage.ts'

const FIRST = useTable.getState()
let kept: Map<string, string>

beforeEach(() => {
  kept = stubStorage()
  useTable.setState(FIRST)
})
afterEach(() => vi.unstubAllGlobals())

it('remembers how the table of a workspace was looked at, each view by itself', () => {
  setColumns(['id', 'lr'])
  setGrouped(true)
  setSort([{ column: 'lr', descending: true }])
  useTable.setState(FIRST)
  recallTable()
  expect(useTable.getState()).toMatchObject({
    grouped: true,
    columns: { runs: ['id', 'lr'], groups: null },
    sort: { runs: [], groups: [{ column: 'lr', descending: true }] },
  })
})

it('makes do with what is damaged', () => {
  setGrouped(false)
  const [key = ''] = kept.keys()
  for (const text of [
    '{',
    'null',
    '3',
    '{"columns":{"runs":[1,"id"]},"sort":{"runs":[null,{"column":1},{"column":"id"}]}}',
  ]) {
    kept.set(key, text)
    recallTable()
  }
  const { columns, sort, grouped } = useTable.getState()
  expect([grouped, columns.runs, sort.runs]).toEqual([false, ['id'], [{ column: 'id', descending: false }]])
})

it('chooses runs, and groups by all their runs', () => {
  chooseRuns([1, 2], true)
  chooseRuns([2], false)
  const { chosen } = useTable.getState()
  expect([isChosen(chosen, [1]), isChosen(chosen, [1, 2])]).toEqual([true, false])
})
