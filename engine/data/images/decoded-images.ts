import { MixlabError } from '../../errors.ts'
import type { ClassFile } from '../classFolders.ts'
import type { FileSource } from '../files.ts'
import { join } from '../paths.ts'
import { decodeImage, withChannels } from './decode.ts'
import { resizeAndCrop } from './resize.ts'

/** Image files that are decoded when they are read. */
export interface DecodedImages {
  /** The bytes of file `row`. Throws MixlabError `data` where they are not as many as when the folder was listed. */
  file(row: number): Promise<Uint8Array>
  /** Decodes those bytes to `[size, size, channels]`, flat. Throws MixlabError `data` naming the file. */
  decode(row: number, bytes: Uint8Array): Uint8Array
  /** The same from memory, or read and decoded. */
  pixels(row: number): Promise<Uint8Array>
}

export interface DecodedImagesOptions {
  /** The folder that the paths of the images are relative to. */
  path: string
  size: number
  channels: 1 | 3
  /** Without it an error says that there is this option. */
  skipUnreadable: boolean
}

const CACHE_BYTES = 256 * 2 ** 20

/**
 * Keeps the images that are decoded first, as many as `memory` bytes hold. None makes place for another: an epoch reads
 * every image once, in an order of its own, so that all are worth the same.
 */
export function decodedImages(
  images: readonly ClassFile[],
  { path: folder, size, channels, skipUnreadable }: DecodedImagesOptions,
  files: FileSource,
  memory = CACHE_BYTES,
): DecodedImages {
  const kept = new Map<number, Uint8Array>()
  const room = Math.floor(memory / (size * size * channels))
  const pathOf = (row: number) => join(folder, images[row]?.path ?? '')

  const file = async (row: number) => {
    const bytes = await files.read(pathOf(row))
    const expected = images[row]?.size
    if (bytes.length === expected) return bytes
    throw new MixlabError('data', pathOf(row), `${bytes.length} bytes, had ${expected} when the folder was opened`)
  }
  const decode = (row: number, bytes: Uint8Array) => {
    try {
      const { pixels } = withChannels(resizeAndCrop(decodeImage(bytes, pathOf(row)), size), channels)
      if (kept.size < room) kept.set(row, pixels)
      return pixels
    } catch (error) {
      if (skipUnreadable || !(error instanceof MixlabError)) throw error
      throw new MixlabError('data', '', `${error.message} (skipUnreadable: true leaves it out)`)
    }
  }
  return { file, decode, pixels: async (row) => kept.get(row) ?? decode(row, await file(row)) }
}
