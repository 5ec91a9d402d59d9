import { MixlabError } from '../../errors.ts'
import type { ClassFile } from '../classFolders.ts'
import { type FileSource, type PictureLook, type PicturePart, type PictureShape, showProgress } from '../files.ts'
import { join } from '../paths.ts'
import { picturesOf } from './pictures.ts'

/** Image files of a folder, which are decoded elsewhere: not in the thread that trains, where the environment has others. */
export interface DecodedImages {
  /** What enters the hash of files, by their paths, in their order. */
  look(paths: readonly string[], part: PicturePart): Promise<PictureLook[]>
  /** The pixels of files, `[size, size, channels]` of each. Throws MixlabError `data` for one that cannot be decoded. */
  read(rows: readonly number[]): Promise<Uint8Array[]>
  /** Has files decoded that will be read. */
  ahead(rows: readonly number[]): void
  /** Decodes files to see whether that can be done; why not, by row. As many as there is room for stay in memory. */
  check(rows: readonly number[]): Promise<Map<number, string>>
}

export interface DecodedImagesOptions {
  /** The folder that the paths of the images are relative to. */
  path: string
  size: number
  channels: 1 | 3
}

/** Pixels that stay in memory, and pixels that are decoded before they are read. */
const MEMORY = 256 * 2 ** 20
const AHEAD = 32 * 2 ** 20

/** Pictures of one call, and bytes of its answer. So many calls are under way at the same time. */
const MOST_AT_ONCE = 256
const MOST_BYTES = 4 * 2 ** 20
const CALLS = 4

/** A picture, or why it cannot be decoded. */
type Decoded = Uint8Array | string

/**
 * Keeps the images that are decoded first, as many as `memory` bytes hold. None makes place for another: an epoch reads
 * every image once, in an order of its own, so that all are worth the same. `digestOf` gives the digest of a file where it is known.
 */
export function decodedImages(
  images: readonly ClassFile[],
  { path: folder, size, channels }: DecodedImagesOptions,
  files: FileSource,
  digestOf: (row: number) => string | null = () => null,
  memory = MEMORY,
): DecodedImages {
  const pictures = picturesOf(files)
  const kept = new Map<number, Uint8Array>()
  const pending = new Map<number, Promise<Decoded>>()
  const length = size * size * channels
  const room = Math.floor(memory / length)
  const atOnce = Math.min(MOST_AT_ONCE, Math.max(1, Math.floor(MOST_BYTES / length)))

  const decode = async (rows: readonly number[], check: boolean) => {
    const shape: PictureShape = { size, channels, check }
    const wanted = rows.map((row) => {
      const { path, size: bytes } = images[row] as ClassFile
      return { path, bytes, digest: digestOf(row) }
    })
    return pictures.decodePictures(folder, wanted, shape)
  }

  function ask(rows: readonly number[]): void {
    for (const some of chunksOf(rows, atOnce)) {
      const answer = decode(some, false)
      for (const [at, row] of some.entries()) {
        const one = answer.then(
          ({ pixels, failed }): Decoded => failed[at] ?? pixels.subarray(at * length, (at + 1) * length),
        )
        one.catch(() => {}) // thrown where it is read
        pending.set(row, one)
      }
    }
  }

  const missing = (rows: readonly number[]) => [...new Set(rows)].filter((row) => !kept.has(row) && !pending.has(row))

  return {
    async look(paths, part) {
      const looks: PictureLook[] = []
      for await (const some of inTurn(chunksOf(paths, MOST_AT_ONCE), (chunk) =>
        pictures.lookAtPictures(folder, chunk, part),
      )) {
        looks.push(...some)
        showProgress(files, `${folder}: ${looks.length} of ${paths.length} files read`)
      }
      return looks
    },
    async read(rows) {
      ask(missing(rows))
      const taken = rows.map((row) => kept.get(row) ?? (pending.get(row) as Promise<Decoded>))
      const pixels: Uint8Array[] = []
      for (const [i, row] of rows.entries()) {
        const found = await Promise.resolve(taken[i] as Decoded | Promise<Decoded>).finally(() => pending.delete(row))
        if (typeof found === 'string') throw undecodable(folder, images[row] as ClassFile, found)
        if (kept.size < room) kept.set(row, found)
        pixels.push(found)
      }
      return pixels
    },
    ahead(rows) {
      if (pending.size * length < AHEAD) ask(missing(rows))
    },
    async check(rows) {
      const failed = new Map<number, string>()
      let done = 0
      const unknown = rows.filter((row) => !kept.has(row))
      for await (const { some, answer } of inTurn(chunksOf(unknown, atOnce), async (some) => {
        const full = kept.size + CALLS * atOnce > room
        return { some, answer: await decode(some, full) }
      })) {
        for (const [at, row] of some.entries()) {
          const why = answer.failed[at] ?? null
          if (why !== null) failed.set(row, why)
          else if (answer.pixels.length > 0) kept.set(row, answer.pixels.subarray(at * length, (at + 1) * length))
        }
        done += some.length
        showProgress(files, `${folder}: ${done} of ${unknown.length} pictures decoded`)
      }
      return failed
    },
  }
}

/** The error for a file that cannot be decoded. */
export const undecodable = (folder: string, { path }: ClassFile, why: string) =>
  new MixlabError('data', join(folder, path), `${why} (skipUnreadable: true leaves it out)`)

function chunksOf<Value>(all: readonly Value[], count: number): Value[][] {
  return Array.from({ length: Math.ceil(all.length / count) }, (_, i) => all.slice(i * count, (i + 1) * count))
}

/** The answers to calls in their order, of which several are under way. */
async function* inTurn<Given, Answer>(
  all: readonly Given[],
  ask: (given: Given) => Promise<Answer>,
): AsyncGenerator<Answer> {
  const under: Promise<Answer>[] = []
  for (let next = 0; next < all.length || under.length > 0; ) {
    while (next < all.length && under.length < CALLS) {
      const answer = ask(all[next++] as Given)
      answer.catch(() => {}) // thrown in its turn
      under.push(answer)
    }
    yield (await under.shift()) as Answer
  }
}
