import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { keyOf } from '../../random.ts'
import { type ClassFile, type ClassFileKind, listClassFiles } from '../classFolders.ts'
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
  const { path, points, holdout, seed } = options
  const found = await listClassFiles(path, files, CLOUDS)
  const all = [...found.train, ...(found.test ?? []), ...found.validation]
  if (found.validation.length > 0) checkOwnValidation(options.validation, found.validationFolder)
  const large = all.find(({ size }) => size > MAX_FILE_BYTES)
  if (large) throw new MixlabError('data', join(path, large.path), `${large.size} bytes, at most ${MAX_FILE_BYTES}`)
  const hashes: string[] = []
  for (const file of all) hashes.push(`${file.path} ${digest(await files.read(join(path, file.path)))}`)
  const { train, test } = found.test
    ? { train: found.train, test: found.test }
    : halves(found.train, found.classes, holdout, seed)
  if (test.length === 0) throw new MixlabError('data', path, 'no files left to test on')

  const split = (members: ClassFile[]) =>
    cloudSplit(
      members.map(({ label }) => label),
      points,
      async (index) => {
        const file = members[index] as ClassFile
        const name = join(path, file.path)
        return decodeCloud(await files.read(name), name, points, keyOf(seed, `points/${VERSION}/${file.path}`))
      },
    )
  const { path: _, ...deciding } = hashed as Partial<Options>
  return {
    name: 'pointFiles',
    classes: found.classes,
    points,
    hash: digest(JSON.stringify(['pointFiles', VERSION, deciding, [...hashes, ...found.decided]])),
    train: split(train),
    validation: found.validation.length > 0 ? split(found.validation) : undefined,
    test: split(test),
    warnings: found.notices,
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
