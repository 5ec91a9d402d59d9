import { expect, it } from 'vitest'
import { clicked } from '../../../renderer/runs/GridHead.tsx'

const up = (column: string) => ({ column, descending: false })
const down = (column: string) => ({ column, descending: true })

it('sorts by the column clicked, the other way round, and not at all', () => {
  expect(clicked([], 'loss', true, false)).toEqual([down('loss')])
  expect(clicked([down('loss')], 'loss', true, false)).toEqual([up('loss')])
  expect(clicked([up('loss')], 'loss', true, false)).toEqual([])
  expect(clicked([up('loss')], 'study', false, false)).toEqual([up('study')])
})

it('adds columns with Shift', () => {
  expect(clicked([up('study')], 'loss', true, true)).toEqual([up('study'), down('loss')])
  expect(clicked([up('study'), down('loss')], 'loss', true, true)).toEqual([up('study'), up('loss')])
  expect(clicked([up('study'), up('loss')], 'loss', true, true)).toEqual([up('study')])
  expect(clicked([up('study'), up('loss')], 'loss', true, false)).toEqual([down('loss')])
})
