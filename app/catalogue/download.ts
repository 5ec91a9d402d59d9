import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { CatalogueFile } from '../../engine/data/catalogue/index.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'

export interface DownloadOptions {
  /** Ends the download; what has come stays. */
  signal?: AbortSignal | undefined
  /** Called with the number of bytes that have arrived, those of earlier calls included. */
  onBytes?: ((bytes: number) => void) | undefined
}

/** Times that a connection which broke off is taken up again in one call. */
const ATTEMPTS = 10

/**
 * Downloads a file to `path` and checks its SHA-256. Goes on with what an earlier call has left there, and where the
 * connection breaks off as long as every attempt brings more. Throws MixlabError `data` with the URL; a file that is not
 * the expected one is removed.
 */
export async function download(file: CatalogueFile, path: string, options: DownloadOptions = {}): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await sizeOf(path)
    if (before === file.bytes) break
    try {
      await receive(file, path, before, options)
    } catch (error) {
      if (error instanceof MixlabError || options.signal?.aborted) throw error
      const size = await sizeOf(path)
      if (size > before && attempt < ATTEMPTS) continue
      const progress = size > 0 ? `broke off after ${size} of ${file.bytes} bytes` : 'cannot be downloaded'
      throw new MixlabError('data', file.url, `${progress}: ${reasonOf(error)}`)
    }
  }
  options.onBytes?.(file.bytes)
  const found = await sha256(path)
  if (found === file.sha256) return
  await rm(path)
  throw new MixlabError('data', file.url, `SHA-256 ${found}, expected ${file.sha256}; the download was removed`)
}

/** Asks for what comes after the first `from` bytes and writes it; a server that ignores that sends all from the start. */
async function receive(file: CatalogueFile, path: string, from: number, { signal, onBytes }: DownloadOptions) {
  const headers = { 'accept-encoding': 'identity', ...(from > 0 ? { range: `bytes=${from}-` } : {}) }
  const response = await fetch(file.url, { headers, signal: signal ?? null })
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    // Otherwise every further call would ask for the same.
    if (response.status === 416) await rm(path)
    const status = `HTTP ${response.status} ${response.statusText}`.trimEnd()
    throw new MixlabError('data', file.url, `${status}, expected a file of ${file.bytes} bytes`)
  }
  const goesOn = response.status === 206
  let done = goesOn ? from : 0
  const target = await open(path, goesOn ? 'a' : 'w')
  try {
    for await (const chunk of response.body) {
      done += chunk.length
      if (done > file.bytes) break
      await target.writeFile(chunk)
      onBytes?.(done)
    }
  } finally {
    await target.close()
  }
  if (done < file.bytes) throw new Error('the server sent no more')
  if (done === file.bytes) return
  await rm(path)
  throw new MixlabError('data', file.url, `more than the expected ${file.bytes} bytes; the download was removed`)
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** What is behind the `fetch failed` of a connection. */
function reasonOf(error: unknown): string {
  return messageOf(error instanceof Error && error.cause ? error.cause : error)
}
