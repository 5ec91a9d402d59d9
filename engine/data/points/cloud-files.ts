import { MixlabError } from '../../errors.ts'
import type { FileSource } from '../files.ts'
import { join } from '../paths.ts'

export interface CloudFile {
  /** Relative to the folder of the data set. */
  path: string
  /** Index into the classes. */
  label: number
}

export interface ClassClouds {
  classes: string[]
  train: CloudFile[]
  /** Empty where the files are not split. */
  test: CloudFile[]
}

/** Bytes of the largest file that is read; the meshes of ModelNet40 stay below a quarter of it. */
const LARGEST = 2 ** 28

/**
 * The files `<class>/train/*` and `<class>/test/*` below `path`, as in ModelNet, or else `<class>/*`, with the ending
 * `.off` or `.xyz`; other and hidden files are passed over. Throws MixlabError `data` for fewer than 2 classes, a class
 * without files, classes of which only some are split, and files that are too large.
 */
export async function listClouds(path: string, files: FileSource): Promise<ClassClouds> {
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
  const large = entries.find(({ size }) => size > LARGEST)
  if (large) {
    throw new MixlabError('data', join(root, `${folder}/${large.name}`), `${large.size} bytes, at most ${LARGEST}`)
  }
  return entries.map(({ name }) => `${folder}/${name}`)
}
