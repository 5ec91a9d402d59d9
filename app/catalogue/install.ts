import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CatalogueEntry, type CatalogueFile, catalogueFolder } from '../../engine/data/catalogue/index.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import { ensureFolder } from '../workspace/folder.ts'
import { download } from './download.ts'
import { unpack } from './unpack.ts'

export interface InstallOptions {
  /** The URL of a folder that has the files, in the place of their own. */
  mirror?: string | undefined
  signal?: AbortSignal | undefined
  /** Called with the number of bytes that have arrived, out of `sizeOfEntry`. */
  onBytes?: ((bytes: number) => void) | undefined
}

/** Whether the workspace at `root` has an entry. */
export function isInstalled(root: string, entry: CatalogueEntry): boolean {
  return existsSync(join(root, catalogueFolder(entry)))
}

/** The bytes that are downloaded. */
export function sizeOfEntry({ files }: CatalogueEntry): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

/**
 * Downloads an entry into the workspace at `root` and unpacks its archives. All happens in a folder `<name>.part`, with
 * which a later call goes on; it gets its name when everything is there. Does nothing where the entry is there already.
 * Throws MixlabError: `data` with the URL, `store` where the folder cannot be written to.
 */
export async function install(root: string, entry: CatalogueEntry, options: InstallOptions = {}): Promise<void> {
  if (isInstalled(root, entry)) return
  const folder = join(root, catalogueFolder(entry))
  const part = `${folder}.part`
  ensureFolder(part)
  let before = 0
  for (const file of entry.files) {
    const url = options.mirror === undefined ? file.url : `${options.mirror.replace(/\/+$/, '')}/${file.name}`
    await download({ ...file, url }, join(part, file.name), {
      signal: options.signal,
      onBytes: (bytes) => options.onBytes?.(before + bytes),
    })
    before += file.bytes
  }
  for (const file of entry.files) await unpackInside(part, file)
  await rename(part, folder)
  for (const { name, archive } of entry.files) if (archive) await rm(join(folder, name))
}

/** Puts the files of an archive beside it. */
async function unpackInside(folder: string, { name, archive }: CatalogueFile): Promise<void> {
  if (!archive) return
  const path = join(folder, name)
  try {
    for (const [member, bytes] of unpack(await readFile(path), archive)) await writeFile(join(folder, member), bytes)
  } catch (error) {
    throw new MixlabError('data', path, `cannot be unpacked: ${messageOf(error)}`)
  }
}
