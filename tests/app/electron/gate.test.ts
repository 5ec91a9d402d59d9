import { beforeEach, expect, it, vi } from 'vitest'
import { answer } from '../../../app/electron/gate.ts'
import { pageUrl } from '../../../app/electron/protocol.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { askMain } from './ask-main.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

const handle = vi.fn((_event: unknown, ...values: unknown[]) => values.length)
beforeEach(() => {
  handle.mockClear()
  answer('count', handle)
  answer('fail', () => {
    throw new MixlabError('option', 'name', 'is bad')
  })
})

it('answers the page', async () => {
  expect(await askMain('count', ['a', 'b'])).toEqual({ value: 2 })
})

it('gives errors as their own text', async () => {
  expect(await askMain('fail')).toEqual({ error: 'name: is bad' })
})

it.each([
  ['a web page', { url: 'https://evil.example/', parent: null }],
  ['a frame inside the page', { url: pageUrl, parent: {} }],
  ['a lookalike host', { url: 'mixlab://workbench.evil/', parent: null }],
  ['a lookalike scheme', { url: 'https://workbench/', parent: null }],
  ['a file', { url: 'file:///workbench/index.html', parent: null }],
  ['a frame that is gone', null],
])('does not answer %s', async (_who, frame) => {
  expect(await askMain('count', [], frame)).toEqual({ error: 'count: only the page may ask' })
  expect(handle).not.toHaveBeenCalled()
})
