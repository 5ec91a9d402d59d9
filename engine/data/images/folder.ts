import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import type { FileSource } from '../../host.ts'
import { keyOf } from '../../random.ts'
import { digest } from '../digest.ts'
import { holdOut } from '../holdout.ts'
import { datasetKind } from '../kind.ts'
import { join } from '../paths.ts'
import type { ImageDataset } from '../types.ts'
import { decodeImage, withChannels } from './decode.ts'
import { listClasses } from './image-files.ts'
import { resizeAndCrop } from './resize.ts'
import { splitOf } from './split.ts'

const options = z.strictObject({
  /** `path/train/<class>` with `path/test/<class>` or `path/val/<class>`, or `path/<class>`. */
  path: z.string().min(1),
  /** Height and width in pixels: the shorter side is resized to it, the centre cut out. */
  size: z.int().min(1).max(1024).default(32),
  /** 3 for RGB, 1 for grey. */
  channels: z.literal([1, 3]).default(3),
  /** The share of each class that is tested on, where there is no test folder. */
  holdout: z.number().gt(0).lt(1).default(0.2),
  /** Decides which files are held out. */
  seed: z.int().min(0).default(0),
  /** Leaves out files that cannot be decoded, with a warning, where they otherwise are an error. */
  skipUnreadable: z.boolean().default(false),
})

export type FolderOptions = z.input<typeof options>
type Options = z.output<typeof options>

/** An image folder; `warnings` says what was left out. */
export interface FolderDataset extends ImageDataset {
  warnings: string[]
}

/** Folders of PNG and JPEG files, one sub-folder a class. */
export const folderKind = datasetKind('folder', options, openFolder)

async function openFolder(options: Options, files: FileSource): Promise<FolderDataset> {
  const found = await listClasses(options.path, files)
  const length = options.size * options.size * options.channels
  const all = [...found.train, ...found.test]
  const pixels = new Uint8Array(all.length * length)
  const labels = new Uint16Array(all.length)
  const readable: number[] = []
  const hashes: string[] = []
  const unreadable: string[] = []
  for (const [row, file] of all.entries()) {
    const path = join(options.path, file.path)
    const bytes = await files.read(path)
    hashes.push(`${file.path} ${digest(bytes)}`)
    labels[row] = file.label
    try {
      const image = withChannels(resizeAndCrop(decodeImage(bytes, path), options.size), options.channels)
      pixels.set(image.pixels, row * length)
      readable.push(row)
    } catch (error) {
      if (!(error instanceof MixlabError)) throw error
      const hint = 'skipUnreadable: true leaves it out'
      if (!options.skipUnreadable) throw new MixlabError('data', '', `${error.message} (${hint})`)
      unreadable.push(error.message)
    }
  }

  const training = readable.filter((row) => row < found.train.length)
  const byClass = found.classes.map((_, label) => training.filter((row) => labels[row] === label))
  const empty = byClass.findIndex((rows) => rows.length === 0)
  if (empty !== -1) throw new MixlabError('data', options.path, `no readable images of class '${found.classes[empty]}'`)
  const parts = byClass.map((rows, c) =>
    holdOut(rows, options.holdout, keyOf(options.seed, `holdout/${found.classes[c]}`)),
  )
  const kept = found.hasTest ? training : parts.flatMap((part) => part.kept)
  const held = found.hasTest ? readable.slice(training.length) : parts.flatMap((part) => part.held)
  if (held.length === 0) throw new MixlabError('data', options.path, 'no images left to test on')

  const { path: _, ...deciding } = options
  return {
    name: 'folder',
    classes: found.classes,
    shape: [options.size, options.size, options.channels],
    hash: digest(JSON.stringify(['folder', deciding, hashes.sort()])),
    train: splitOf({ pixels, labels }, length, kept),
    test: splitOf({ pixels, labels }, length, held),
    warnings: unreadable.length
      ? [`${unreadable.length} of ${all.length} files left out as unreadable`, ...unreadable]
      : [],
  }
}
