import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { keyOf } from '../../random.ts'
import { type ClassFile, type ClassFileKind, listClassFiles, unreadableNotices } from '../classFolders.ts'
import { digest } from '../digest.ts'
import type { FileSource } from '../files.ts'
import { holdOut } from '../holdout.ts'
import { namedDataset } from '../kind.ts'
import { join } from '../paths.ts'
import { checkOwnValidation, type SplitOptions } from '../splits.ts'
import type { PointDataset, Undivided } from '../types.ts'
import { decodeCloud } from './cloud.ts'
import { cloudSplit } from './cloud-split.ts'

/** Changes whenever another choice of points would be made. */
const VERSION = 1

const options = z.strictObject({
  /** `path/<class>/train` with `path/<class>/test`, as in ModelNet, `path/train/<class>`, or `path/<class>`. */
  path: z.string().min(1),
  /** Points of a cloud. */
  points: z.int().min(8).max(16384).default(128),
  /** The share of each class that is tested on, where the files are not split. */
  holdout: z.number().gt(0).lt(1).default(0.2),
  /** Decides which points are taken, and which files are held out, for the test and for validation. */
  seed: z.int().min(0).default(0),
  /** Leaves out files that cannot be decoded, with a warning; all files are decoded once at opening to find them. */
  skipUnreadable: z.boolean().default(false),
})

type Options = z.output<typeof options> & Pick<SplitOptions, 'validation'>

const CLOUDS: ClassFileKind = {
  ending: /\.(off|xyz)$/i,
  none: 'no .off or .xyz files',
  deep: false,
  order: 'class/part',
  usual: ['train', 'test'],
}

/** Bytes of the largest file that is read; the meshes of ModelNet40 stay below a quarter of it. */
const MAX_FILE_BYTES = 2 ** 28

/** Folders of .off meshes and .xyz clouds, one sub-folder of `path` a class, as in ModelNet. */
export const pointFiles = namedDataset('pointFiles', options, openFiles)

/** Every file is read once for the hash, and decoded when one of its batches is due. */
async function openFiles(options: Options, hashed: object, files: FileSource): Promise<Undivided<PointDataset>> {
  const { path, points, holdout, seed, skipUnreadable } = options
  const found = await listClassFiles(path, files, CLOUDS)
  const all = [...found.train, ...(found.test ?? []), ...found.validation]
  if (found.validation.length > 0) checkOwnValidation(options.validation, found.validationFolder)
  const tooLarge = (file: ClassFile) =>
    new MixlabError('data', join(path, file.path), `${file.size} bytes, at most ${MAX_FILE_BYTES}`)
  const large = all.find(({ size }) => size > MAX_FILE_BYTES)
  if (large && !skipUnreadable) throw tooLarge(large)
  const decoded = (bytes: Uint8Array, file: ClassFile) => {
    try {
      return decodeCloud(bytes, join(path, file.path), points, keyOf(seed, `points/${VERSION}/${file.path}`))
    } catch (error) {
      if (skipUnreadable || !(error instanceof MixlabError)) throw error
      throw new MixlabError('data', '', `${error.message} (skipUnreadable: true leaves it out)`)
    }
  }
  const hashes: string[] = []
  const unreadable = new Map<ClassFile, string>()
  for (const file of all) {
    try {
      if (file.size > MAX_FILE_BYTES) throw tooLarge(file)
      const bytes = await files.read(join(path, file.path))
      hashes.push(`${file.path} ${digest(bytes)}`)
      if (skipUnreadable) decoded(bytes, file)
    } catch (error) {
      if (!skipUnreadable || !(error instanceof MixlabError) || error.code !== 'data') throw error
      unreadable.set(file, error.message)
    }
  }
  const readable = (members: ClassFile[]) => members.filter((file) => !unreadable.has(file))
  const training = readable(found.train)
  const empty = found.classes.findIndex((_, label) => training.every((file) => file.label !== label))
  if (empty !== -1) throw new MixlabError('data', path, `no readable files of class '${found.classes[empty]}'`)
  const { train, test } = found.test
    ? { train: training, test: readable(found.test) }
    : halves(training, found.classes, holdout, seed)
  if (test.length === 0) throw new MixlabError('data', path, 'no files left to test on')

  const split = (members: ClassFile[]) =>
    cloudSplit(
      members.map(({ label }) => label),
      points,
      async (index) => {
        const file = members[index] as ClassFile
        return decoded(await files.read(join(path, file.path)), file)
      },
    )
  const { path: _, ...deciding } = hashed as Partial<Options>
  return {
    name: 'pointFiles',
    classes: found.classes,
    points,
    hash: digest(JSON.stringify(['pointFiles', VERSION, deciding, [...hashes, ...found.decided]])),
    train: split(train),
    validation: found.validation.length > 0 ? split(readable(found.validation)) : undefined,
    test: split(test),
    warnings: [...found.notices, ...unreadableNotices([...unreadable.values()], all.length)],
  }
}

/** Holds out a share of each class. */
function halves(all: ClassFile[], classes: string[], share: number, seed: number) {
  const parts = classes.map((name, label) => {
    const rows = all.flatMap((file, row) => (file.label === label ? [row] : []))
    return holdOut(rows, share, keyOf(seed, `holdout/${name}`))
  })
  const filesOf = (rows: number[]) => rows.map((row) => all[row] as ClassFile)
  return { train: filesOf(parts.flatMap(({ kept }) => kept)), test: filesOf(parts.flatMap(({ held }) => held)) }
}
