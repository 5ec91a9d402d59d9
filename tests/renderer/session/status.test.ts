import { describe, expect, it } from 'vitest'
import { stalenessOf, statusText } from '../../../renderer/session/status.ts'

it('says of a cell how many runs of its studies failed', () => {
  const failed = '3 of 12 runs failed'
  expect(statusText('done', null)).toBe('done')
  expect(statusText('done', failed)).toBe('done, 3 of 12 runs failed')
  expect(statusText('running', failed)).toBe('running, 3 of 12 runs failed')
  expect(statusText('failed', failed)).toBe(failed)
  expect([statusText('failed', null), statusText('stale', failed), statusText('idle', failed)]).toEqual([
    ...['failed', 'stale', ''],
  ])
})

describe('stalenessOf', () => {
  it.each(['done', 'failed', 'interrupted'] as const)(
    'calls what is %s stale when it belongs to another text',
    (phase) => {
      expect(stalenessOf(phase, 'before', 'now', false)).toBe('code')
      expect(stalenessOf(phase, 'before', 'now', true)).toBe('code')
      expect(stalenessOf(phase, 'now', 'now', false)).toBeNull()
    },
  )

  it('calls it stale when a cell it depends on was run again', () => {
    expect(stalenessOf('done', 'now', 'now', true)).toBe('rerun')
  })

  it.each(['idle', 'queued', 'running'] as const)('has no say while a cell is %s', (phase) => {
    expect(stalenessOf(phase, 'before', 'now', true)).toBeNull()
  })

  it('does not judge a cell that analysis does not know', () => {
    expect(stalenessOf('done', 'before', undefined, true)).toBeNull()
  })
})
