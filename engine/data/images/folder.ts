import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { keyOf } from '../../random.ts'
import { type ClassFile, type ClassFileKind, listClassFiles, unreadableNotices } from '../classFolders.ts'
import { digest } from '../digest.ts'
import type { FileSource } from '../files.ts'
import { holdOut } from '../holdout.ts'
import { checkIndices } from '../indices.ts'
import { namedDataset } from '../kind.ts'
import { join } from '../paths.ts'
import { checkOwnValidation, type SplitOptions } from '../splits.ts'
import type { ImageBatch, ImageDataset, Pool, Undivided } from '../types.ts'
import { type DecodedImages, decodedImages } from './decoded-images.ts'
import { isJpeg, JPEG_DECODER } from './file/jpeg-file.ts'
import { type Orientation, orientationIn } from './file/orientation.ts'
import { gather } from './split.ts'

const options = z.strictObject({
  /**
   * `path/train/<class>` with `path/test/<class>` or `path/val/<class>`, or `path/<class>`; other names of parts are in
   * partNames.ts. Where there are both `test` and `val`, the latter is the validation part.
   */
  path: z.string().min(1),
  /** Height and width in pixels: the shorter side is resized to it, the centre cut out. */
  size: z.int().min(1).max(1024).default(32),
  /** 3 for RGB, 1 for grey. */
  channels: z.literal([1, 3]).default(3),
  /** The share of each class that is tested on, where there is no test folder. */
  holdout: z.number().gt(0).lt(1).default(0.2),
  /** Decides which files are held out, for the test and for validation. */
  seed: z.int().min(0).default(0),
  /** Leaves out files that cannot be decoded, with a warning; all files are decoded once at opening to find them. */
  skipUnreadable: z.boolean().default(false),
})

type Options = z.output<typeof options> & Pick<SplitOptions, 'validation'>

/** An image folder; `warnings` says what was left out. */
export interface FolderDataset extends ImageDataset {
  warnings: string[]
}

/** Formats that are not read count as images too, so that they are reported and not passed over. */
export const IMAGES: ClassFileKind = {
  ending: /\.(png|jpe?g|jfif|webp|gif|bmp|tiff?|avif|heic)$/i,
  none: 'no images in this class folder',
  deep: true,
  order: 'part/class',
  usual: ['train', 'test', 'val'],
}

/** A folder of at most so many bytes in all is read and decoded at opening. */
const SMALL = 64 * 2 ** 20

/** Of a larger one so many files are looked at, and so many bytes of each. */
const SAMPLES = 256
const SAMPLE_BYTES = 256 * 2 ** 10

/** The orientation of all files is among their first bytes mostly; so many files are looked at together. */
const HEAD_BYTES = 4096
const AT_ONCE = 32

/**
 * Folders of PNG and JPEG files, one sub-folder a class. Files are decoded when they are read, and at most 256 MB of
 * pixels stay in memory.
 *
 * Up to 64 MB in all, and with `skipUnreadable`, every file is read once at opening: the hash covers all contents, and a
 * file that cannot be decoded is an error at once, or left out. Of a larger folder the hash covers names and sizes of
 * all files, which are JPEG, the orientation of all that are turned and the first 256 KB of 256 of them, evenly spaced; a
 * change elsewhere that keeps the size of a file goes unseen, and a file that cannot be decoded is an error when it is read.
 */
export const folder = namedDataset('folder', options, openFolder)

async function openFolder(options: Options, hashed: object, files: FileSource): Promise<Undivided<FolderDataset>> {
  const found = await listClassFiles(options.path, files, IMAGES)
  const tests = found.test ?? []
  const all = [...found.train, ...tests, ...found.validation]
  if (found.validation.length > 0) checkOwnValidation(options.validation, found.validationFolder)
  const images = decodedImages(all, options, files)
  const isSmall = all.reduce((sum, { size }) => sum + size, 0) <= SMALL
  const { contents, unreadable } =
    isSmall || options.skipUnreadable
      ? await readAll(all, images, options.skipUnreadable)
      : { contents: await sample(all, options.path, files), unreadable: new Map<number, string>() }

  const readable = [...all.keys()].filter((row) => !unreadable.has(row))
  const training = readable.filter((row) => row < found.train.length)
  const byClass = found.classes.map((): number[] => [])
  for (const row of training) byClass[all[row]?.label ?? 0]?.push(row)
  const empty = byClass.findIndex((rows) => rows.length === 0)
  if (empty !== -1) throw new MixlabError('data', options.path, `no readable images of class '${found.classes[empty]}'`)
  const parts = byClass.map((rows, c) =>
    holdOut(rows, options.holdout, keyOf(options.seed, `holdout/${found.classes[c]}`)),
  )
  const kept = found.test ? training : parts.flatMap((part) => part.kept)
  const from = found.train.length
  const to = from + tests.length
  const held = found.test ? readable.filter((row) => row >= from && row < to) : parts.flatMap((part) => part.held)
  const own = readable.filter((row) => row >= to)
  if (held.length === 0) throw new MixlabError('data', options.path, 'no images left to test on')

  const { path: _, ...deciding } = hashed as Partial<Options>
  const { size, channels } = options
  const splitOf = (rows: number[]) => decodedSplit(rows, all, images, size * size * channels)
  return {
    name: 'folder',
    classes: found.classes,
    shape: [size, size, channels],
    hash: digest(JSON.stringify(['folder', deciding, [...contents, ...found.decided].sort()])),
    train: splitOf(kept),
    validation: own.length > 0 ? splitOf(own) : undefined,
    test: splitOf(held),
    unreadable: unreadable.size,
    warnings: [...found.notices, ...unreadableNotices([...unreadable.values()], all.length)],
  }
}

/** Decodes all files one after the other. Returns their digests and, by row, why files cannot be decoded. */
async function readAll(all: readonly ClassFile[], images: DecodedImages, skipUnreadable: boolean) {
  const contents: string[] = []
  const unreadable = new Map<number, string>()
  for (const [row, { path }] of all.entries()) {
    try {
      const bytes = await images.file(row)
      contents.push(`${path} ${digest(bytes)}`, ...decodedAnew(path, bytes, orientationIn(bytes)))
      images.decode(row, bytes)
    } catch (error) {
      if (!skipUnreadable || !(error instanceof MixlabError) || error.code !== 'data') throw error
      unreadable.set(row, error.message)
    }
  }
  return { contents, unreadable }
}

/**
 * What is hashed of a file beside its bytes, once these were decoded in another way: that it is a JPEG, and that EXIF data
 * turn it. Nothing for others, so that folders without such files have the hash that they had.
 */
function decodedAnew(path: string, head: Uint8Array, orientation: Orientation | null): string[] {
  const jpeg = isJpeg(head) ? [`${path} JPEG ${JPEG_DECODER}`] : []
  return orientation === null || orientation === 1 ? jpeg : [...jpeg, `${path} orientation ${orientation}`]
}

/** Names and sizes of all files, the orientation of turned ones, and digests of the first bytes of some. */
async function sample(all: readonly ClassFile[], folder: string, files: FileSource): Promise<string[]> {
  const contents = all.map(({ path, size }) => `${path} ${size}`)
  const count = Math.min(SAMPLES, all.length)
  for (let i = 0; i < count; i++) {
    const { path } = all[Math.floor((i * all.length) / count)] as ClassFile
    contents.push(`${path} ${digest(await files.read(join(folder, path), 0, SAMPLE_BYTES))}`)
  }
  for (let i = 0; i < all.length; i += AT_ONCE) {
    const some = all.slice(i, i + AT_ONCE).map((file) => anewIn(file, folder, files))
    contents.push(...(await Promise.all(some)).flat())
  }
  return contents
}

/** What `decodedAnew` says of a file; reads only as much of it as needed, mostly its first bytes. */
async function anewIn({ path, size }: ClassFile, folder: string, files: FileSource): Promise<string[]> {
  for (let bytes = HEAD_BYTES; ; bytes *= 16) {
    const head = await files.read(join(folder, path), 0, bytes)
    const found = orientationIn(head)
    if (found !== null || bytes >= size) return decodedAnew(path, head, found)
  }
}

/** The images `rows`; `length` is the values of one. */
function decodedSplit(
  rows: number[],
  all: readonly ClassFile[],
  images: DecodedImages,
  length: number,
): Pool<ImageBatch> {
  const read = async (indices: ArrayLike<number>) => {
    checkIndices(indices, rows.length)
    const pixels = new Uint8Array(indices.length * length)
    const labels = new Uint16Array(indices.length)
    for (let i = 0; i < indices.length; i++) {
      const row = rows[indices[i] ?? 0] ?? 0
      labels[i] = all[row]?.label ?? 0
      pixels.set(await images.pixels(row), i * length)
    }
    return gather({ pixels, labels }, length, [...labels.keys()])
  }
  return { size: rows.length, read, labels: rows.map((row) => all[row]?.label ?? 0) }
}
