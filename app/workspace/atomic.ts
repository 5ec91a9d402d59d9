import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What `writeAtomic` calls a file that it has not written yet. */
const TEMPORARY = /^\..+\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/

/** Milliseconds without a change after which such a file is a leftover of a crash; a write takes seconds. */
const ABANDONED = 600_000

/** Removes what crashes within `writeAtomic` have left in a folder and in those that lie in it. */
export function removeLeftovers(folder: string): void {
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const each of [folder, ...inside.map(({ name }) => join(folder, name))]) {
    for (const name of readdirSync(each)) if (TEMPORARY.test(name)) removeAbandoned(join(each, name))
  }
}

function removeAbandoned(path: string): void {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
  if (Date.now() - changed > ABANDONED) rmSync(path, { force: true })
}

/**
 * Replaces a file so that every reader, and every crash, sees either the old or the new content. Without a `mode` it
 * keeps its own.
 */
export function writeAtomic(
  path: string,
  content: Uint8Array | string,
  mode = statSync(path, { throwIfNoEntry: false })?.mode,
): void {
  const folder = dirname(path)
  const temporary = join(folder, `.${basename(path).slice(0, 100)}.${randomUUID()}.tmp`)
  try {
    const file = openSync(temporary, 'wx', mode === undefined ? 0o666 : 0o600)
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
