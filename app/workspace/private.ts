import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

/** The mode of files that hold results, or deleted texts: their owner alone can read them. */
export const PRIVATE = 0o600

/** Takes a file or folder from all but its owner. Windows has no such modes. */
export function keepPrivate(path: string, mode = PRIVATE): void {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return
  try {
    chmodSync(path, mode)
  } catch {
    // It belongs to somebody else, who shares it.
  }
}

/** Makes a file, or an existing one, private to its owner. Where that fails, opening the file says why. */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', PRIVATE))
    keepPrivate(path)
  } catch {
    // It is a folder, or cannot be written.
  }
}
