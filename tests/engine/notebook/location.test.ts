import { expect, it } from 'vitest'
import { MixlabError, messageOf } from '../../../engine/errors.ts'
import { locate, urlOf } from '../../../engine/notebook/location.ts'

const thrownAt = (...frames: string[]) => Object.assign(new Error('no'), { stack: ['Error: no', ...frames].join('\n') })

it('finds the innermost frame that is in a cell, two lines below the header of its function', () => {
  const error = thrownAt(
    '    at dense (file:///engine/nn.ts:3:9)',
    `    at block (${urlOf('my block')}:7:11)`,
    `    at async eval (${urlOf('study')}:4:1)`,
  )
  expect(locate(error, 'study')).toMatchObject({ code: 'notebook', path: 'my block:5', message: 'my block:5: no' })
})

it('reads the stacks of Firefox', () => {
  expect(locate(thrownAt(`f@${urlOf('a')}:3:1`), 'a').path).toBe('a:1')
})

it('names the cell where no frame is in a cell', () => {
  expect(locate(thrownAt('    at file:///engine/nn.ts:3:9'), 'a')).toMatchObject({ path: 'a', message: 'a: no' })
  expect(locate(42, 'a')).toMatchObject({ path: 'a', message: 'a: 42', cause: 42 })
})

it('takes anything that a cell can throw', () => {
  const get = () => {
    throw new Error('read')
  }
  const hostile = [new Proxy(new Error('no'), { get }), Object.create(null), thrownAt('    at a (mixlab:cell/%:3:1)')]
  expect(hostile.map((each) => locate(each, 'a').message)).toEqual([
    'a: an error that cannot be shown',
    'a: an error that cannot be shown',
    'a: no',
  ])
  const long = locate(new Error('x'.repeat(1e7)), 'a')
  expect(long.message).toBe(`a: ${'x'.repeat(20_000)}... 9980000 characters more`)
  expect(messageOf(long)).toBe(long.message)
})

it('keeps the code of an error of the engine', () => {
  expect(locate(new MixlabError('data', 'train.idx', 'is truncated'), 'a').code).toBe('data')
})

it('writes any cell name without quotes and white space', () => {
  expect(urlOf(`it's "a" b`)).toBe('mixlab:cell/it%27s%20%22a%22%20b')
})
