import { describe, expect, it } from 'vitest'
import { readPageFile } from '../../../app/server/page-files.ts'
import { pageFolder } from './page-folder.ts'

describe('readPageFile', () => {
  it('gives index.html for the root', async () => {
    const file = await readPageFile(pageFolder(), '/')
    expect(file?.type).toBe('text/html; charset=utf-8')
    expect(new TextDecoder().decode(file?.bytes)).toContain('<title>Mixlab')
  })

  it.each([
    ['/assets/main-1a.js', 'text/javascript; charset=utf-8'],
    ['/assets/with%20space.css', 'text/css; charset=utf-8'],
    ['/assets/font.ttf', 'font/ttf'],
  ])('knows the type of %s', async (path, type) => {
    expect((await readPageFile(pageFolder(), path))?.type).toBe(type)
  })

  it('gives bytes as they are', async () => {
    const file = await readPageFile(pageFolder(), '/assets/font.ttf')
    expect([...(file?.bytes ?? [])]).toEqual([0, 1, 2, 255])
  })

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
    '/../page-2/secret.txt',
    '//etc/passwd',
    '/etc/passwd',
    '/assets/main-1a.js%00.html',
    '/%zz',
    '/assets',
    '/assets/',
    '/missing.js',
    '',
  ])('has nothing at %j', async (path) => {
    expect(await readPageFile(pageFolder(), path)).toBeNull()
  })
})
