import { describe, expect, it } from 'vitest'
import { MixlabError, messageOf, suggest } from '../../engine/errors.ts'

describe('suggest', () => {
  it('names the one that is close', () => {
    expect(suggest('gmpl', ['gmlp', 'mixer'])).toBe(" (did you mean 'gmlp'?)")
    expect(suggest('Batch', ['batch', 'steps'])).toBe(" (did you mean 'batch'?)")
  })
  it('lists all when none is close', () => {
    expect(suggest('resnet', ['gmlp', 'mixer'])).toBe(' (known: gmlp, mixer)')
  })
})

describe('MixlabError', () => {
  it('starts with the path of the bad value', () => {
    expect(new MixlabError('option', 'train.batch', '0, expected at least 1').message).toBe(
      'train.batch: 0, expected at least 1',
    )
    expect(new MixlabError('store', '', 'closed').message).toBe('closed')
  })
  it('is not needed for a message', () => {
    expect(messageOf('text')).toBe('text')
    expect(messageOf(new Error('why'))).toBe('why')
  })
})
