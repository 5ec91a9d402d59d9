import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { keyOf } from '../../random.ts'
import { type ClassFile, type ClassFileKind, listClassFiles, unreadableNotices } from '../classFolders.ts'
import { digest } from '../digest.ts'
import type { FileSource, PictureLook } from '../files.ts'
import { holdOut } from '../holdout.ts'
import { checkIndices } from '../indices.ts'
import { namedDataset } from '../kind.ts'
import { join } from '../paths.ts'
import { checkOwnValidation, type SplitOptions } from '../splits.ts'
import type { ImageBatch, ImageDataset, Pool, Undivided } from '../types.ts'
import { type DecodedImages, decodedImages, undecodable } from './decoded-images.ts'
import { scale } from './split.ts'

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

/** In a folder of at most this many bytes, every file is decoded once before anything is trained. */
const SMALL = 64 * 2 ** 20
/** In a folder of at most this many bytes, every file is digested at opening. */
const DIGESTED = 2 ** 31
/** In a larger one, the first bytes of this many files are digested. */
const SAMPLES = 256

/**
 * Folders of PNG and JPEG files, one sub-folder a class. The environment reads and decodes them, at most 256 MB of pixels
 * stay in memory.
 *
 * Up to 2 GB in all, and with `skipUnreadable`, every file is read at opening, and the hash covers all contents. For a larger
 * folder the hash covers names and sizes of all files, which are JPEG, the orientation of all that are turned and the first
 * 256 KB of 256 of them, evenly spaced; a change elsewhere that keeps the size of a file goes unseen. Opening decodes
 * nothing, except with `skipUnreadable`. Up to 64 MB, a file that cannot be decoded is an error before anything is trained
 * (`check`); above that, it is an error when it is read.
 */
export const folder = namedDataset('folder', options, openFolder)

async function openFolder(options: Options, hashed: object, files: FileSource): Promise<Undivided<FolderDataset>> {
  const found = await listClassFiles(options.path, files, IMAGES)
  const tests = found.test ?? []
  const all = [...found.train, ...tests, ...found.validation]
  if (found.validation.length > 0) checkOwnValidation(options.validation, found.validationFolder)
  const digests: (string | null)[] = []
  const images = decodedImages(all, options, files, (row) => digests[row] ?? null)
  const bytes = all.reduce((sum, { size }) => sum + size, 0)
  const unreadable = new Map<number, string>()
  const isWhole = bytes <= DIGESTED || options.skipUnreadable
  const contents = isWhole ? await whole() : await sample(all, options.path, images)

  const reasons = [...unreadable].sort(([a], [b]) => a - b).map(([, why]) => why)
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
    warnings: [...found.notices, ...unreadableNotices(reasons, all.length)],
    ...(bytes <= SMALL && !options.skipUnreadable && { check }),
  }

  /** Digests of all files; files that cannot be read or decoded are an error, or left out. */
  async function whole(): Promise<string[]> {
    const looks = await images.look(
      all.map(({ path }) => path),
      'all',
    )
    const failed = (row: number, why: string, error = failure(options.path, all[row] as ClassFile, why)) => {
      if (!options.skipUnreadable) throw error
      unreadable.set(row, error.message)
    }
    const contents = looks.flatMap((look, row) => {
      const { path, size } = all[row] as ClassFile
      if ('failed' in look) failed(row, look.failed)
      else if (look.bytes !== size) failed(row, `${look.bytes} bytes, had ${size} when the folder was opened`)
      else {
        digests[row] = look.digest
        return [`${path} ${look.digest}`, ...look.about.map((each) => `${path} ${each}`)]
      }
      return []
    })
    if (!options.skipUnreadable) return contents
    const rows = [...all.keys()].filter((row) => !unreadable.has(row))
    for (const [row, why] of await images.check(rows)) failed(row, why)
    return contents
  }

  async function check(): Promise<void> {
    const [first] = await images.check([...all.keys()])
    if (first) throw undecodable(options.path, all[first[0]] as ClassFile, first[1])
  }
}

const failure = (folder: string, { path }: ClassFile, why: string) => new MixlabError('data', join(folder, path), why)

/** Names and sizes of all files, the orientation of turned ones, and digests of the first bytes of some. */
async function sample(all: readonly ClassFile[], folder: string, images: DecodedImages): Promise<string[]> {
  const count = Math.min(SAMPLES, all.length)
  const some = Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)] as ClassFile)
  const linesOf = async (files: readonly ClassFile[], part: 'start' | 'none') => {
    const looks = await images.look(
      files.map(({ path }) => path),
      part,
    )
    return looks.flatMap((look: PictureLook, i) => {
      const file = files[i] as ClassFile
      if ('failed' in look) throw failure(folder, file, look.failed)
      return (part === 'start' ? [look.digest] : look.about).map((each) => `${file.path} ${each}`)
    })
  }
  const sizes = all.map(({ path, size }) => `${path} ${size}`)
  return [...sizes, ...(await linesOf(some, 'start')), ...(await linesOf(all, 'none'))]
}

/** The images `rows`; `length` is the values of one. */
function decodedSplit(
  rows: number[],
  all: readonly ClassFile[],
  images: DecodedImages,
  length: number,
): Pool<ImageBatch> {
  const labels = rows.map((row) => all[row]?.label ?? 0)
  const rowsAt = (indices: ArrayLike<number>) => Array.from(indices, (index) => rows[index] ?? 0)
  const read = async (indices: ArrayLike<number>) => {
    checkIndices(indices, rows.length)
    const found = await images.read(rowsAt(indices))
    const pixels = new Float32Array(indices.length * length)
    for (const [i, own] of found.entries()) scale(own, 0, pixels.subarray(i * length, (i + 1) * length))
    return { pixels, labels: Int32Array.from(indices, (index) => labels[index] ?? 0) }
  }
  return { size: rows.length, read, ahead: (indices) => images.ahead(rowsAt(indices)), labels }
}
