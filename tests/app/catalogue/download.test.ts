import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { download } from '../../../app/catalogue/download.ts'
import { freshFolder } from '../cli/recorder.ts'
import { serveFiles, type Trouble } from './file-server.ts'

const CONTENT = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) >> 8)
const SHA256 = createHash('sha256').update(CONTENT).digest('hex')

/** A server of `a.bin`, the file as the catalogue would have it, and where it goes. */
async function place(trouble: Trouble = {}, served: Uint8Array = CONTENT) {
  const server = await serveFiles({ 'a.bin': served }, trouble)
  const file = { name: 'a.bin', url: `${server.url}/a.bin`, bytes: CONTENT.length, sha256: SHA256 }
  return { ...server, file, path: join(freshFolder(), 'a.bin'), options: { onBytes: server.hasCome } }
}
const contentOf = (path: string) => new Uint8Array(readFileSync(path))

describe('download', () => {
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
