import { MixlabError, suggest } from '../../errors.ts'
import type { FileSource } from '../files.ts'
import { join } from '../paths.ts'

export interface ImageFile {
  /** Relative to the folder of the data set. */
  path: string
  /** Index into the classes. */
  label: number
  /** Bytes of the file. */
  size: number
}

export interface ClassFiles {
  classes: string[]
  train: ImageFile[]
  /** Empty without a test folder. */
  test: ImageFile[]
  /** Empty unless there is a folder `val` beside the test folder. */
  validation: ImageFile[]
  hasTest: boolean
}

/** Formats that are not read count as images too, so that they are reported and not passed over. */
const IMAGE = /\.(png|jpe?g|jfif|webp|gif|bmp|tiff?|avif|heic)$/i

/**
 * The image files below `path`, sorted, by class: `train/<class>` with `test/<class>` and `val/<class>`, or one of them,
 * which is the test, where there is a folder `train` of folders, else `<class>`. Hidden files and files that are no images are passed over.
 * Throws MixlabError `data` for fewer than 2 classes, a class without images, and a class that is only in the test.
 */
export async function listClasses(path: string, files: FileSource): Promise<ClassFiles> {
  const top = await folders(path, files)
  const trainClasses = top.includes('train') ? await folders(join(path, 'train'), files) : []
  const isSplit = trainClasses.length > 0
  const classes = isSplit ? trainClasses : top
  const trainFolder = isSplit ? join(path, 'train') : path
  if (classes.length < 2) {
    const found = classes.length ? `1 class folder (${classes[0]})` : 'no class folders'
    throw new MixlabError('data', trainFolder, `${found}, expected at least 2`)
  }
  const train = await imagesOf(classes, isSplit ? 'train/' : '')
  const testName = ['test', 'val'].find((name) => isSplit && top.includes(name))
  if (!testName) return { classes, train, test: [], validation: [], hasTest: false }

  const test = await heldIn(testName)
  const validation = testName === 'test' && top.includes('val') ? await heldIn('val') : []
  return { classes, train, test, validation, hasTest: true }

  async function heldIn(folder: string): Promise<ImageFile[]> {
    const own = await folders(join(path, folder), files)
    for (const name of own) {
      if (!classes.includes(name)) {
        throw new MixlabError('data', join(path, folder), `class '${name}' is not in training${suggest(name, classes)}`)
      }
    }
    if (own.length === 0) throw new MixlabError('data', join(path, folder), 'no class folders')
    return imagesOf(own, `${folder}/`)
  }

  async function imagesOf(names: string[], prefix: string): Promise<ImageFile[]> {
    const images: ImageFile[] = []
    for (const name of names) {
      const found = await imagesBelow(path, prefix + name, files)
      if (found.length === 0) throw new MixlabError('data', join(path, prefix + name), 'no images in this class folder')
      for (const file of found) images.push({ ...file, label: classes.indexOf(name) })
    }
    return images
  }
}

/** Names of the folders in `path`, sorted. */
async function folders(path: string, files: FileSource): Promise<string[]> {
  const entries = await files.list(path)
  return entries
    .filter(({ kind, name }) => kind === 'folder' && !name.startsWith('.'))
    .map(({ name }) => name)
    .sort()
}

/** The images in `folder` and the folders in it, sorted by their paths relative to `root`. */
async function imagesBelow(root: string, folder: string, files: FileSource): Promise<Omit<ImageFile, 'label'>[]> {
  const images: Omit<ImageFile, 'label'>[] = []
  for (const { name, kind, size } of await files.list(join(root, folder))) {
    if (name.startsWith('.')) continue
    const path = `${folder}/${name}`
    if (kind === 'folder') for (const image of await imagesBelow(root, path, files)) images.push(image)
    else if (IMAGE.test(name)) images.push({ path, size })
  }
  return images.sort((a, b) => (a.path < b.path ? -1 : 1))
}
