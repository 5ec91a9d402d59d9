import { expect, it } from 'vitest'
import { leadsInside, placeOf } from '../../../renderer/shell/leaving.ts'

const own = 'http://127.0.0.1:8123'
const inside = (address: string) => leadsInside(new URL(address, `${own}/#/runs`), own)

it('asks about what leads elsewhere, and no link of the page itself', () => {
  expect(['#/runs/x', '/assets/a.css', `${own}/#/start`, `blob:${own}/b5a1`].map(inside)).toEqual(Array(4).fill(true))
  const elsewhere = [
    'https://arxiv.org',
    'http://127.0.0.1:9/',
    '//evil.example',
    'mailto:a@b.c',
    'javascript:1',
    'data:,a',
  ]
  expect(elsewhere.map(inside)).toEqual(Array(6).fill(false))
})

it('names the host, or whom a mail goes to', () => {
  expect(placeOf(new URL('https://user@evil.example:8/arxiv.org'))).toBe('evil.example:8')
  expect(placeOf(new URL('mailto:someone@example.org?body=x'))).toBe('someone@example.org')
})
