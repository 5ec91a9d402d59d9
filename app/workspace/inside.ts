import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { fileErrorCode } from './file-error.ts'

/** Whether `path` is `folder` or lies below it. Both absolute, links resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** An absolute path with its links resolved as far as it exists, so that a missing file has a place too. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(fileErrorCode(error)) || dirname(path) === path) throw error
    return join(realPath(dirname(path)), basename(path))
  }
}
