import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Replaces a file so that every reader, and every crash, sees either the old or the new content. Keeps its mode. */
export function writeAtomic(path: string, content: Uint8Array | string): void {
  const folder = dirname(path)
  const temporary = join(folder, `.${basename(path).slice(0, 100)}.${randomUUID()}.tmp`)
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  try {
    const file = openSync(temporary, 'wx')
    try {
      if (mode !== undefined) fchmodSync(file, mode & 0o777)
      writeFileSync(file, content)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncFolder(folder)
}

/** Makes the names in a folder survive a power cut. */
function syncFolder(folder: string): void {
  // Windows opens no folders, and its journal keeps renames.
  if (process.platform === 'win32') return
  const handle = openSync(folder, constants.O_RDONLY)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
