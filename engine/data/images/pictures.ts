import { MixlabError } from '../../errors.ts'
import { digest } from '../digest.ts'
import type { FileSource, PictureCalls, PictureLook, PictureShape } from '../files.ts'
import { join } from '../paths.ts'
import { decodeImage, withChannels } from './decode.ts'
import { isJpeg, JPEG_DECODER } from './file/jpeg-file.ts'
import { orientationIn } from './file/orientation.ts'
import { resizeAndCrop } from './resize.ts'

/** Raise it where the same picture gets other pixels: what is kept of pictures is decoded again then. */
export const PIXELS = `1-${JPEG_DECODER}`

/** Of a large folder so many bytes of a file are digested. */
const START_BYTES = 256 * 2 ** 10
/** The orientation is among the first bytes mostly. */
const HEAD_BYTES = 4096

/** So many bytes of pixels are asked for at once. */
const MOST_PIXELS = 64 * 2 ** 20

/** How pictures are read, and what is kept of them. */
export interface PictureSource {
  /** As `read` of a FileSource. */
  read(path: string, from?: number, to?: number): Uint8Array | Promise<Uint8Array>
  /** SHA-256 in hex. */
  digest?: (bytes: Uint8Array) => string
  /** Pixels by the digest of their file. */
  kept?: KeptPictures | undefined
}

export interface KeptPictures {
  find(digest: string, shape: PictureShape): Uint8Array | null
  keep(pictures: [digest: string, pixels: Uint8Array][], shape: PictureShape): void
}

/** The calls for pictures of files, made where they are called. */
export function picturesBy({ read, digest: digestOf = digest, kept }: PictureSource): PictureCalls {
  async function start(path: string, to?: number): Promise<{ bytes: Uint8Array; about: string[] }> {
    for (let length = to; ; length = 16 * (length as number)) {
      const bytes = await read(path, 0, length)
      const isWhole = length === undefined || bytes.length < length
      const about = aboutPicture(bytes, isWhole)
      if (about) return { bytes, about }
    }
  }

  /** The pixels of a file, and its digest where they were not kept. */
  async function decoded(path: string, size: number, known: string | null, shape: PictureShape) {
    const found = known === null ? null : kept?.find(known, shape)
    if (found) return { pixels: found, fresh: null }
    const bytes = await read(path)
    if (bytes.length !== size) {
      throw new MixlabError('data', path, `${bytes.length} bytes, had ${size} when the folder was opened`)
    }
    const own = kept ? digestOf(bytes) : null
    if (own !== null && known !== null && own !== known) {
      throw new MixlabError('data', path, 'has changed since the folder was opened')
    }
    const same = own === null ? null : kept?.find(own, shape)
    return same ? { pixels: same, fresh: null } : { pixels: decodePicture(bytes, path, shape), fresh: own }
  }

  return {
    lookAtPictures: async (folder, paths, part) => {
      const looks: PictureLook[] = []
      for (const each of paths) {
        const path = join(folder, each)
        const look = async () => {
          const { bytes, about } = await start(path, { all: undefined, start: START_BYTES, none: HEAD_BYTES }[part])
          const digested = part === 'start' ? bytes.subarray(0, START_BYTES) : bytes
          return { bytes: bytes.length, digest: part === 'none' ? '' : digestOf(digested), about }
        }
        looks.push(await look().catch((error) => ({ failed: reasonOf(error, path) })))
      }
      return looks
    },
    decodePictures: async (folder, wanted, shape) => {
      const length = shape.size ** 2 * shape.channels
      if (wanted.length * length > MOST_PIXELS)
        throw new MixlabError('option', 'decodePictures.wanted', `${wanted.length} pictures of ${length} bytes at once`)
      const pixels = new Uint8Array(shape.check ? 0 : wanted.length * length)
      const failed: (string | null)[] = []
      const fresh: [string, Uint8Array][] = []
      for (const [i, { path, bytes, digest: known }] of wanted.entries()) {
        const file = join(folder, path)
        try {
          const found = await decoded(file, bytes, known, shape)
          if (!shape.check) pixels.set(found.pixels, i * length)
          if (found.fresh !== null) fresh.push([found.fresh, found.pixels])
          failed.push(null)
        } catch (error) {
          failed.push(reasonOf(error, file))
        }
      }
      if (fresh.length > 0) kept?.keep(fresh, shape)
      return { pixels, failed }
    },
  }
}

/** The calls for pictures of some files: those of their environment where it has them. */
export const picturesOf = (files: FileSource): PictureCalls =>
  files.lookAtPictures && files.decodePictures
    ? { lookAtPictures: files.lookAtPictures, decodePictures: files.decodePictures }
    : picturesBy({ read: files.read })

/** What is wrong with a file, without its path. Throws what is no fault of the file. */
function reasonOf(error: unknown, path: string): string {
  if (!(error instanceof MixlabError) || error.code !== 'data') throw error
  const { message } = error
  return message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message
}

/**
 * What is hashed of a file beside its bytes, once these were decoded in another way: that it is a JPEG, and that EXIF data
 * turn it. Nothing for others, so that folders without such files have the hash that they had. Null where that is beyond
 * these first bytes.
 */
function aboutPicture(head: Uint8Array, isWhole: boolean): string[] | null {
  const orientation = orientationIn(head)
  if (orientation === null && !isWhole) return null
  const jpeg = isJpeg(head) ? [`JPEG ${JPEG_DECODER}`] : []
  return orientation === null || orientation === 1 ? jpeg : [...jpeg, `orientation ${orientation}`]
}

function decodePicture(bytes: Uint8Array, path: string, { size, channels }: PictureShape): Uint8Array {
  return withChannels(resizeAndCrop(decodeImage(bytes, path), size), channels).pixels
}
