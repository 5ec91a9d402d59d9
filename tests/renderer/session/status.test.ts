import { describe, expect, it } from 'vitest'
import { stalenessOf } from '../../../renderer/session/status.ts'

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
