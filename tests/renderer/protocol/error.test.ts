import { describe, expect, it } from 'vitest'
import { MixlabError } from '../../../engine/errors.ts'
import { cellError } from '../../../renderer/protocol/error.ts'

describe('cellError', () => {
  it('takes the line from a place in the same cell', () => {
    expect(cellError(new MixlabError('option', 'my block:14', 'not allowed'), 'my block')).toEqual({
      code: 'option',
      path: 'my block:14',
      message: 'not allowed',
      line: 14,
    })
  })

  it('keeps the place of another cell in the text', () => {
    const error = cellError(new MixlabError('notebook', 'other:3', 'wrong'), 'block')
    expect(error).toMatchObject({ line: null, message: 'other:3: wrong' })
  })

  it('keeps the path that may not be read', () => {
    const error = cellError(new MixlabError('permission', '/data', 'lies outside'), 'study')
    expect(error).toMatchObject({ code: 'permission', path: '/data', line: null })
  })

  it('has a text for anything thrown', () => {
    expect(cellError('text', 'a').message).toBe('text')
    expect(cellError(new Error(''), 'a').message).toBe('an error without a message')
  })
})
