import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { download } from '../../../app/catalogue/download.ts'
import { install, isInstalled, sizeOfEntry } from '../../../app/catalogue/install.ts'
import { unpack } from '../../../app/catalogue/unpack.ts'
import type { CatalogueEntry, CatalogueFile } from '../../../engine/data/catalogue/index.ts'
import { freshFolder } from '../cli/recorder.ts'
import { tarGz } from './archives.ts'
import { serveFiles, type Trouble } from './file-server.ts'

describe('install', () => {
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

describe('download', () => {
  const CONTENT = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) >> 8)
  const SHA256 = createHash('sha256').update(CONTENT).digest('hex')

  /** A server of `a.bin`, the file as the catalogue would have it, and where it goes. */
  async function place(trouble: Trouble = {}, served: Uint8Array = CONTENT) {
    const server = await serveFiles({ 'a.bin': served }, trouble)
    const file = { name: 'a.bin', url: `${server.url}/a.bin`, bytes: CONTENT.length, sha256: SHA256 }
    return { ...server, file, path: join(freshFolder(), 'a.bin'), options: { onBytes: server.hasCome } }
  }
  const contentOf = (path: string) => new Uint8Array(readFileSync(path))

  it('writes the file and tells how much has come', async () => {
    const { file, path, asked } = await place()
    const told: number[] = []
    await download(file, path, { onBytes: (bytes) => told.push(bytes) })
    expect(contentOf(path)).toEqual(CONTENT)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(told.at(-1)).toBe(CONTENT.length)
    expect(asked).toEqual(['a.bin'])
  })
  it('asks for nothing where the file is there', async () => {
    const { file, path, asked } = await place()
    writeFileSync(path, CONTENT)
    await download(file, path)
    expect(asked).toEqual([])
  })
  it('goes on from where the connection broke off', async () => {
    const { file, path, asked, options } = await place({ drops: [100_000, 70_000] })
    await download(file, path, options)
    expect(contentOf(path)).toEqual(CONTENT)
    expect(asked).toEqual(['a.bin', 'a.bin bytes=100000-', 'a.bin bytes=170000-'])
  })
  it('leaves what has come to the next call where the server answers no more', async () => {
    const { file, path, asked, options } = await place({ drops: [100_000, 0] })
    await expect(download(file, path, options)).rejects.toMatchObject({
      code: 'data',
      path: file.url,
      message: expect.stringMatching(/\/a\.bin: broke off after 100000 of 300000 bytes: /),
    })
    expect(contentOf(path)).toEqual(CONTENT.slice(0, 100_000))
    await download(file, path, options)
    expect(contentOf(path)).toEqual(CONTENT)
    expect(asked.at(-1)).toBe('a.bin bytes=100000-')
  })
  it('starts over where the server knows no ranges', async () => {
    const { file, path, asked, options } = await place({ drops: [100_000], noRange: true })
    await download(file, path, options)
    expect(contentOf(path)).toEqual(CONTENT)
    expect(asked).toEqual(['a.bin', 'a.bin bytes=100000-'])
  })
  it('does not try forever on a server without ranges that always breaks off', async () => {
    const { file, path, asked, options } = await place({ drops: [90_000, 90_000, 90_000], noRange: true })
    await expect(download(file, path, options)).rejects.toThrow('broke off after 90000 of 300000 bytes')
    expect(asked).toHaveLength(2)
  })
  it('starts over where more is there than there should be', async () => {
    const { file, path } = await place()
    writeFileSync(path, new Uint8Array(400_000))
    await expect(download(file, path)).rejects.toThrow('HTTP 416')
    await download(file, path)
    expect(contentOf(path)).toEqual(CONTENT)
  })

  it('removes a file of another checksum, naming both', async () => {
    const other = CONTENT.map((value) => value ^ 1)
    const { file, path } = await place({}, other)
    const found = createHash('sha256').update(other).digest('hex')
    await expect(download(file, path)).rejects.toThrow(
      `${file.url}: SHA-256 ${found}, expected ${SHA256}; the download`,
    )
    expect(existsSync(path)).toBe(false)
  })
  it('removes a file that is too long', async () => {
    const { file, path } = await place({}, new Uint8Array(400_000))
    await expect(download(file, path)).rejects.toThrow('more than the expected 300000 bytes; the download was removed')
    expect(existsSync(path)).toBe(false)
  })
  it('says that a file is too short', async () => {
    const { file, path } = await place({}, CONTENT.slice(0, 1000))
    await expect(download(file, path)).rejects.toThrow('HTTP 416')
    expect(existsSync(path)).toBe(false)
  })
  it('names the URL, the status and the size that was expected where there is no such file', async () => {
    const { file, path, url } = await place()
    const missing = { ...file, url: `${url}/b.bin` }
    await expect(download(missing, path)).rejects.toMatchObject({
      code: 'data',
      message: `${url}/b.bin: HTTP 404 Not Found, expected a file of 300000 bytes`,
    })
    expect(existsSync(path)).toBe(false)
  })
  it('names the URL where nobody answers', async () => {
    const { file, path } = await place()
    const nobody = { ...file, url: 'http://127.0.0.1:1/a.bin' }
    await expect(download(nobody, path)).rejects.toThrow(/^http:\/\/127.0.0.1:1\/a.bin: cannot be downloaded: /)
  })
  it('stops when it is told to, keeping what has come', async () => {
    const { file, path, asked } = await place()
    const abort = new AbortController()
    const stopped = download(file, path, { signal: abort.signal, onBytes: () => abort.abort() })
    await expect(stopped).rejects.toThrow('aborted')
    await download(file, path)
    expect(contentOf(path)).toEqual(CONTENT)
    expect(asked[1]).toMatch(/^a\.bin bytes=\d+-$/)
  })
})

describe('unpack', () => {
  const texts = (files: Map<string, Uint8Array>) =>
    Object.fromEntries([...files].map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]))
  const MEMBERS = { 'cifar/': '', 'cifar/a.bin': 'x'.repeat(700), 'cifar/b.txt': 'cat\n', 'cifar/empty.txt': '' }
  const FILES = { 'a.bin': 'x'.repeat(700), 'b.txt': 'cat\n', 'empty.txt': '' }

  it('takes files out of a tar.gz archive, without their folders', () => {
    expect(texts(unpack(tarGz(MEMBERS), 'tar.gz'))).toEqual(FILES)
  })
  it('takes files out of a zip archive, without their folders', () => {
    const members = Object.entries(MEMBERS).map(([path, text]) => [path, new TextEncoder().encode(text)])
    expect(texts(unpack(zipSync(Object.fromEntries(members)), 'zip'))).toEqual(FILES)
  })
  it('leads nowhere else, and passes over hidden files', () => {
    const sly = { '../../up.txt': 'up', '/etc/passwd': 'root', 'a/._b': 'x', '..': 'y' }
    expect(texts(unpack(tarGz(sly), 'tar.gz'))).toEqual({ 'up.txt': 'up', passwd: 'root' })
  })
  it('refuses what is no such archive, and one that is cut off', () => {
    expect(() => unpack(new Uint8Array(9), 'tar.gz')).toThrow('incorrect header check')
    expect(() => unpack(new Uint8Array(9), 'zip')).toThrow('invalid zip data')
    const cut = gzipSync(gunzipSync(tarGz({ 'a.bin': 'x'.repeat(700) })).subarray(0, 1024))
    expect(() => unpack(cut, 'tar.gz')).toThrow("tar archive: 'a.bin' at offset 0 is not whole")
  })
})
