import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { keyOf } from '../../random.ts'
import { digest } from '../digest.ts'
import type { FileSource } from '../files.ts'
import { holdOut } from '../holdout.ts'
import { namedDataset } from '../kind.ts'
import { join } from '../paths.ts'
import type { PointDataset, Undivided } from '../types.ts'
import { decodeCloud } from './cloud.ts'
import { cloudSplit } from './cloud-split.ts'

/** Changes whenever another choice of points would be made. */
const VERSION = 1

const options = z.strictObject({
  /** `path/<class>/train` with `path/<class>/test`, as in ModelNet, or `path/<class>`. */
  path: z.string().min(1),
  /** Points of a cloud. */
  points: z.int().min(8).max(16384).default(128),
  /** The share of each class that is tested on, where the files are not split. */
  holdout: z.number().gt(0).lt(1).default(0.2),
  /** Decides which points are taken, and which files are held out, for the test and for validation. */
  seed: z.int().min(0).default(0),
})

type Options = z.output<typeof options>

/** Folders of .off meshes and .xyz clouds, one sub-folder of `path` a class, as in ModelNet. */
export const pointFiles = namedDataset('pointFiles', options, openFiles)

/** Every file is read once for the hash, and decoded when one of its batches is due. */
async function openFiles(options: Options, hashed: object, files: FileSource): Promise<Undivided<PointDataset>> {
  const { path, points, holdout, seed } = options
  const found = await listClouds(path, files)
  const hashes: string[] = []
  for (const file of [...found.train, ...found.test]) {
    hashes.push(`${file.path} ${digest(await files.read(join(path, file.path)))}`)
  }
  const { train, test } = found.test.length > 0 ? found : halves(found.train, found.classes, holdout, seed)
  if (test.length === 0) throw new MixlabError('data', path, 'no files left to test on')

  const split = (members: CloudFile[]) =>
    cloudSplit(
      members.map(({ label }) => label),
      points,
      async (index) => {
        const file = members[index] as CloudFile
        const name = join(path, file.path)
        return decodeCloud(await files.read(name), name, points, keyOf(seed, `points/${VERSION}/${file.path}`))
      },
    )
  const { path: _, ...deciding } = hashed as Partial<Options>
  return {
    name: 'pointFiles',
    classes: found.classes,
    points,
    hash: digest(JSON.stringify(['pointFiles', VERSION, deciding, hashes])),
    train: split(train),
    test: split(test),
  }
}

/** Holds out a share of each class. */
function halves(all: CloudFile[], classes: string[], share: number, seed: number) {
  const parts = classes.map((name, label) => {
    const rows = all.flatMap((file, row) => (file.label === label ? [row] : []))
    return holdOut(rows, share, keyOf(seed, `holdout/${name}`))
  })
  const filesOf = (rows: number[]) => rows.map((row) => all[row] as CloudFile)
  return { train: filesOf(parts.flatMap(({ kept }) => kept)), test: filesOf(parts.flatMap(({ held }) => held)) }
}

interface CloudFile {
  /** Relative to the folder of the data set. */
  path: string
  /** Index into the classes. */
  label: number
}

interface ClassClouds {
  classes: string[]
  train: CloudFile[]
  /** Empty where the files are not split. */
  test: CloudFile[]
}

/** Bytes of the largest file that is read; the meshes of ModelNet40 stay below a quarter of it. */
const MAX_FILE_BYTES = 2 ** 28

/**
 * The files `<class>/train/*` and `<class>/test/*` below `path`, as in ModelNet, or else `<class>/*`, with the ending
 * `.off` or `.xyz`; other and hidden files are passed over. Throws MixlabError `data` for fewer than 2 classes, a class
 * without files, classes of which only some have `train` and `test`, and files that are too large.
 */
async function listClouds(path: string, files: FileSource): Promise<ClassClouds> {
  const classes = (await files.list(path)).filter(isFolder).map(({ name }) => name)
  if (classes.length < 2) {
    const found = classes.length ? `1 class folder (${classes[0]})` : 'no class folders'
    throw new MixlabError('data', path, `${found}, expected at least 2`)
  }
  const inner = await Promise.all(
    classes.map(async (name) => (await files.list(join(path, name))).filter(isFolder).map((entry) => entry.name)),
  )
  const isSplit = inner.some((folders) => folders.includes('train'))

  async function all(folder: string): Promise<CloudFile[]> {
    const found: CloudFile[] = []
    for (const [label, name] of classes.entries()) {
      const place = name + folder
      if (folder && !inner[label]?.includes(folder.slice(1))) {
        const what = 'no such folder, though the files are split into train and test'
        throw new MixlabError('data', join(path, place), what)
      }
      const clouds = await cloudsIn(path, place, files)
      if (clouds.length === 0) throw new MixlabError('data', join(path, place), 'no .off or .xyz files')
      found.push(...clouds.map((cloud) => ({ path: cloud, label })))
    }
    return found
  }
  if (!isSplit) return { classes, train: await all(''), test: [] }
  return { classes, train: await all('/train'), test: await all('/test') }
}

function isFolder({ kind, name }: { kind: string; name: string }): boolean {
  return kind === 'folder' && !name.startsWith('.')
}

async function cloudsIn(root: string, folder: string, files: FileSource): Promise<string[]> {
  const entries = (await files.list(join(root, folder))).filter(
    ({ kind, name }) => kind === 'file' && !name.startsWith('.') && /\.(off|xyz)$/i.test(name),
  )
  const large = entries.find(({ size }) => size > MAX_FILE_BYTES)
  if (large) {
    throw new MixlabError(
      'data',
      join(root, `${folder}/${large.name}`),
      `${large.size} bytes, at most ${MAX_FILE_BYTES}`,
    )
  }
  return entries.map(({ name }) => `${folder}/${name}`)
}
