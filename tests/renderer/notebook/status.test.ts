import { describe, expect, it } from 'vitest'
import { statusOf } from '../../../renderer/notebook/status.ts'

describe('statusOf', () => {
  it('is stale when the output belongs to another text', () => {
    expect(statusOf('done', 'before', 'now')).toBe('stale')
    expect(statusOf('failed', 'before', 'now')).toBe('stale')
    expect(statusOf('interrupted', 'before', 'now')).toBe('stale')
  })

  it('is the phase while the text is the same', () => {
    expect(statusOf('done', 'now', 'now')).toBe('done')
    expect(statusOf('failed', 'now', 'now')).toBe('failed')
  })

  it('is never stale while there is no output, or a new one is on its way', () => {
    expect(statusOf('idle', null, 'now')).toBe('idle')
    expect(statusOf('queued', 'before', 'now')).toBe('queued')
    expect(statusOf('running', 'before', 'now')).toBe('running')
  })

  it('does not judge a cell that analysis does not know', () => {
    expect(statusOf('done', 'before', undefined)).toBe('done')
  })
})
