import { expect, it } from 'vitest'
import { groupCrossing, groupRows } from '../../../renderer/compare/factorRows.ts'
import type { Family } from '../../../renderer/compare/family.ts'
import { groupsOf } from '../../../renderer/compare/groups.ts'
import { ACCURACY } from '../../meanings.ts'
import { detailsOf, valued } from './samples.ts'

const metric = 'test/accuracy'
const LEVELS = [1, 2, 3]
const groups = groupsOf(
  LEVELS.map((lr) => detailsOf(lr, { variant: `lr=${lr}`, seed: 1, metrics: { [metric]: valued(lr / 10, ACCURACY) } })),
)
const family: Family = {
  design: {
    ...{ study: 's', metric, runs: [] },
    variants: LEVELS.map((lr) => ({ variant: `lr=${lr}`, settings: { lr }, crossed: true, intended: [] })),
  },
  runs: [],
}

it('the runs of groups stand at the levels of their study', () => {
  const crossing = groupCrossing(groups, family)
  expect(crossing?.factors).toEqual([{ name: 'lr', levels: LEVELS }])
  expect(crossing && groupRows(groups, crossing, metric)).toEqual(
    LEVELS.map((lr) => ({ levels: { lr }, seed: 1, run: lr, value: lr / 10 })),
  )
})

it('levels of which no run is compared are none, and runs that are not finished have no value', () => {
  const open = groupsOf([detailsOf(9, { variant: 'lr=2', status: 'failed', metrics: { [metric]: valued(1) } })])
  const some = [...groups.slice(0, 1), ...open]
  const crossing = groupCrossing(some, family)
  expect(crossing?.factors).toEqual([{ name: 'lr', levels: [1, 2] }])
  expect(crossing && groupRows(some, crossing, metric).map(({ value }) => value)).toEqual([0.1, null])
  expect(groupCrossing(groups.slice(0, 1), family)).toBeNull()
})

it('of several attempts at a seed the newest that is finished counts', () => {
  const attempt = (id: number, status: 'done' | 'failed') =>
    detailsOf(id, { variant: 'lr=1', seed: 1, status, metrics: { [metric]: valued(id) } })
  const again = [...groupsOf([attempt(20, 'done'), attempt(21, 'done'), attempt(22, 'failed')]), ...groups.slice(1)]
  const crossing = groupCrossing(again, family)
  expect(crossing && groupRows(again, crossing, metric)[0]).toMatchObject({ run: 21, value: 21 })
})
