import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { install, isInstalled, sizeOfEntry } from '../../../app/catalogue/install.ts'
import type { CatalogueEntry, CatalogueFile } from '../../../engine/data/catalogue/index.ts'
import { freshFolder } from '../cli/recorder.ts'
import { tarGz } from './archives.ts'
import { serveFiles } from './file-server.ts'

const FILES = {
  'a.gz': new TextEncoder().encode('first'),
  'b.gz': new TextEncoder().encode('second file'),
  'c.tar.gz': tarGz({ 'c/': '', 'c/train.bin': 'train', 'c/test.bin': 'test' }),
}

/** An entry of files of `FILES`, as they lie on a server at `url`. */
function entryOf(url: string, names: (keyof typeof FILES)[]): CatalogueEntry {
  const files = names.map((name): CatalogueFile => {
    const sha256 = createHash('sha256').update(FILES[name]).digest('hex')
    const file = { name, url: `${url}/${name}`, bytes: FILES[name].length, sha256 }
    return name.endsWith('.tar.gz') ? { ...file, archive: 'tar.gz' } : file
  })
  return { name: 'letters', licence: 'MIT', source: 'a test', files }
}

describe('install', () => {
  it('downloads all files of an entry, and tells how much of it has come', async () => {
    const root = freshFolder()
    const entry = entryOf((await serveFiles(FILES)).url, ['a.gz', 'b.gz'])
    expect(isInstalled(root, entry)).toBe(false)
    const told: number[] = []
    await install(root, entry, { onBytes: (bytes) => told.push(bytes) })
    expect(isInstalled(root, entry)).toBe(true)
    expect(readdirSync(join(root, 'data'))).toEqual(['letters'])
    expect(readFileSync(join(root, 'data/letters/b.gz'), 'utf8')).toBe('second file')
    expect([...new Set(told)]).toEqual([5, 16])
    expect(sizeOfEntry(entry)).toBe(16)
  })
  it('does nothing where the entry is there', async () => {
    const root = freshFolder()
    const { url, asked } = await serveFiles(FILES)
    await install(root, entryOf(url, ['a.gz']))
    await install(root, entryOf(url, ['a.gz']))
    expect(asked).toEqual(['a.gz'])
  })
  it('leaves the files of an archive in its place', async () => {
    const root = freshFolder()
    await install(root, entryOf((await serveFiles(FILES)).url, ['c.tar.gz']))
    expect(readdirSync(join(root, 'data/letters'))).toEqual(['test.bin', 'train.bin'])
    expect(readFileSync(join(root, 'data/letters/train.bin'), 'utf8')).toBe('train')
  })
  it('gives the entry its name when all is there, and a second call brings only what is missing', async () => {
    const root = freshFolder()
    const [good, broken] = [await serveFiles(FILES), await serveFiles({ 'a.gz': FILES['a.gz'] })]
    await expect(install(root, entryOf(broken.url, ['a.gz', 'b.gz']))).rejects.toThrow('/b.gz: HTTP 404 Not Found')
    expect(readdirSync(join(root, 'data'))).toEqual(['letters.part'])
    await install(root, entryOf(good.url, ['a.gz', 'b.gz']))
    expect(good.asked).toEqual(['b.gz'])
    expect(readdirSync(join(root, 'data'))).toEqual(['letters'])
  })
  it('takes the files from a mirror, checked by the same checksums', async () => {
    const root = freshFolder()
    const { url, asked } = await serveFiles({ ...FILES, 'b.gz': new TextEncoder().encode('other bytes') })
    const entry = entryOf('http://127.0.0.1:1', ['a.gz', 'b.gz'])
    await expect(install(root, entry, { mirror: `${url}/` })).rejects.toThrow(`${url}/b.gz: SHA-256 `)
    expect(asked).toEqual(['a.gz', 'b.gz'])
    expect(readdirSync(join(root, 'data/letters.part'))).toEqual(['a.gz'])
  })
  it('says that an archive cannot be unpacked', async () => {
    const root = freshFolder()
    const entry = entryOf((await serveFiles(FILES)).url, ['a.gz'])
    const files = entry.files.map((file): CatalogueFile => ({ ...file, archive: 'zip' }))
    const path = join(root, 'data/letters.part/a.gz')
    await expect(install(root, { ...entry, files })).rejects.toThrow(`${path}: cannot be unpacked: invalid zip data`)
    expect(isInstalled(root, entry)).toBe(false)
  })
  it('names a folder that cannot be made', async () => {
    const root = freshFolder()
    writeFileSync(join(root, 'data'), 'a file')
    const entry = entryOf('http://127.0.0.1:1', ['a.gz'])
    await expect(install(root, entry)).rejects.toMatchObject({ code: 'store', path: join(root, 'data') })
    expect(existsSync(join(root, 'data/letters.part'))).toBe(false)
  })
})
