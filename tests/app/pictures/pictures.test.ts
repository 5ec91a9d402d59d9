import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type LocalHost, openHost } from '../../../app/host.ts'
import { clearPictureCache, openPictureCache } from '../../../app/pictures/pictureCache.ts'
import { digest } from '../../../engine/data/digest.ts'
import type { FileSource, PictureShape } from '../../../engine/data/files.ts'
import { imageData } from '../../../engine/data/images/index.ts'
import { JPEGS, jpegFile } from '../../engine/data/images/jpeg-files.ts'
import { plainPng } from '../../engine/data/images/png-file.ts'
import { freshFolder } from '../store/samples.ts'

const open: LocalHost[] = []
afterEach(() => {
  for (const host of open.splice(0)) host.close()
})

function hostOf(workspace: string): LocalHost {
  const host = openHost({ workspace })
  open.push(host)
  return host
}

/** A workspace with a folder `d` of PNG and JPEG files in two classes. */
function workspace(): string {
  const root = freshFolder()
  for (const name of ['a', 'b']) mkdirSync(join(root, 'd', name), { recursive: true })
  for (let i = 0; i < 6; i++) writeFileSync(join(root, `d/a/${i}.png`), plainPng(5, 6, 10 * i))
  const jpegs = Object.keys(JPEGS).slice(0, 6)
  for (const [i, name] of jpegs.entries()) writeFileSync(join(root, `d/b/${i}.jpg`), jpegFile(name))
  return root
}

const dataIn = (files: FileSource, options: Record<string, unknown> = {}) =>
  imageData.open({ dataset: 'folder', options: { path: 'd', size: 4, ...options } }, files)

/** The hash of the folder, and the pixels of all of its examples. */
async function all(files: FileSource, options?: Record<string, unknown>) {
  const { hash, train, validation, test, check } = await dataIn(files, options)
  await check?.()
  const parts = await Promise.all([train, validation, test].map((split) => split.read([...Array(split.size).keys()])))
  return { hash, parts }
}

const packsIn = (root: string): string[] => {
  const folder = join(root, '.mixlab/pictures')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.pack'))
    .map((name) => join(folder, name))
}

describe('pictures of a folder', () => {
  it('are the same from threads, from what is kept, and decoded where they are read', async () => {
    const root = workspace()
    const { list, read } = hostOf(root)
    const here = await all({ list, read })
    expect(await all(hostOf(root))).toEqual(here)
    expect(packsIn(root)).not.toEqual([])
    expect(await all(hostOf(root))).toEqual(here)
    expect(await all(hostOf(root), { skipUnreadable: true })).toMatchObject({ parts: here.parts })
  })

  it('have another hash where one changes and keeps its size and time', async () => {
    const root = workspace()
    const before = await all(hostOf(root))
    const file = join(root, 'd/a/3.png')
    const { size, atime, mtime } = statSync(file)
    writeFileSync(file, plainPng(5, 6, 31))
    expect(statSync(file).size).toBe(size)
    utimesSync(file, atime, mtime)
    const after = await all(hostOf(root))
    expect(after.hash).not.toBe(before.hash)
    expect(after.parts).not.toEqual(before.parts)
  })

  it('are not read where nothing is trained', async () => {
    const root = workspace()
    await dataIn(hostOf(root))
    expect(readdirSync(join(root, '.mixlab'))).not.toContain('pictures')
  })

  it('are an error where one changes after the folder was opened', async () => {
    const root = workspace()
    const { check } = await dataIn(hostOf(root))
    writeFileSync(join(root, 'd/a/3.png'), plainPng(5, 6, 31))
    await expect(check?.()).rejects.toThrow('d/a/3.png: has changed since the folder was opened')
  })

  it.each<[string, (pack: Buffer) => Buffer]>([
    ['its pixels', (pack) => pack.fill(7, pack.length - 3)],
    ['the digest of a file', (pack) => pack.fill(7, 20, 22)],
    ['its count', (pack) => pack.fill(255, 8, 12)],
    ['its end', (pack) => pack.subarray(0, pack.length - 1)],
    ['all', () => Buffer.alloc(0)],
  ])('are decoded again where a file that keeps them has lost %s', async (_, damage) => {
    const root = workspace()
    const before = await all(hostOf(root))
    for (const pack of packsIn(root)) writeFileSync(pack, damage(readFileSync(pack)))
    expect(await all(hostOf(root))).toEqual(before)
  })

  it('are decoded every time where nothing can be kept', async () => {
    const root = workspace()
    const host = hostOf(root)
    writeFileSync(join(root, '.mixlab/pictures'), '')
    expect(await all(host)).toEqual(await all({ list: host.list, read: host.read }))
  })

  it('are read by no link that leads out of what may be read', async () => {
    const root = workspace()
    const outside = join(freshFolder(), 'secret.png')
    writeFileSync(outside, plainPng(5, 6, 1))
    symlinkSync(outside, join(root, 'd/a/x.png'))
    const { lookAtPictures, decodePictures } = hostOf(root)
    const denied = { code: 'permission', path: 'd/a/x.png' }
    await expect(lookAtPictures('d', ['a/1.png', 'a/x.png'], 'all')).rejects.toMatchObject(denied)
    const shape: PictureShape = { size: 4, channels: 3, check: false }
    await expect(decodePictures('d', [{ path: 'a/x.png', bytes: 1, digest: null }], shape)).rejects.toMatchObject(
      denied,
    )
  })
})

describe('what is kept of pictures', () => {
  const shape: PictureShape = { size: 4, channels: 1, check: false }
  const picture = (i: number): [string, Uint8Array] => [digest(String(i)), new Uint8Array(16).fill(i)]
  const known = (cache: ReturnType<typeof openPictureCache>, count: number) =>
    Array.from({ length: count }, (_, i) => cache.find(picture(i)[0], shape)).filter((pixels) => pixels !== null)

  it('is found by others, by the digest of the file and the shape', () => {
    const folder = join(freshFolder(), 'pictures')
    openPictureCache(folder).keep([picture(1), picture(2)], shape)
    const other = openPictureCache(folder)
    expect(other.find(picture(2)[0], shape)).toEqual(Buffer.alloc(16, 2))
    expect(other.find(picture(3)[0], shape)).toBeNull()
    expect(other.find(picture(2)[0], { ...shape, size: 5 })).toBeNull()
  })

  it('takes a bounded number of bytes', () => {
    const folder = join(freshFolder(), 'pictures')
    // each new one looks at the bytes with its first pack
    for (let i = 0; i < 9; i++) openPictureCache(folder, 300).keep([picture(i)], shape)
    const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name)))
      .reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0)
    expect(bytes).toBeGreaterThan(200)
    expect(bytes).toBeLessThanOrEqual(300)
    expect(openPictureCache(folder).find(picture(8)[0], shape)).not.toBeNull()
  })

  it('is not believed where writing it was cut off, at any byte', () => {
    const folder = join(freshFolder(), 'pictures')
    openPictureCache(folder).keep([picture(0), picture(1)], shape)
    const [name = ''] = readdirSync(folder)
    const [pack = ''] = readdirSync(join(folder, name))
    const whole = readFileSync(join(folder, name, pack))
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(join(folder, name, pack), whole.subarray(0, length))
      expect(known(openPictureCache(folder), 2)).toEqual([])
    }
  })

  it('can be removed while others use it', () => {
    const folder = join(freshFolder(), 'pictures')
    const cache = openPictureCache(folder)
    cache.keep([picture(0)], shape)
    expect(known(cache, 1)).toHaveLength(1)
    expect(clearPictureCache(folder)).toBeGreaterThan(16)
    expect(known(cache, 1)).toEqual([])
    cache.keep([picture(0)], shape)
    expect(known(openPictureCache(folder), 1)).toHaveLength(1)
  })
})
