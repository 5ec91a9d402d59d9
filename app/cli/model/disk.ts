import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileEntry } from '../../../engine/data/files.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { bytesOf } from './bytes.ts'

/** Files that the user names on the command line, wherever they are. */
export const disk = {
  list: async (path: string): Promise<FileEntry[]> => {
    const names = await readdir(path).catch(() => {
      throw new MixlabError('data', path, 'cannot be listed')
    })
    return Promise.all(
      names.sort().map(async (name) => {
        const found = await stat(join(path, name)).catch(() => null)
        return { name, kind: found?.isDirectory() ? 'folder' : 'file', size: found?.size ?? 0 }
      }),
    )
  },
  read: bytesOf,
}
