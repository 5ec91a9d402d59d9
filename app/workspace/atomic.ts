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
import { fileErrorCode } from './file-error.ts'

/** What `writeAtomic` calls a file that it has not written yet; with the process that writes it. */
const TEMPORARY = /^\..+?(?:\.(?<pid>\d+))?\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/

/** Milliseconds without a change after which such a file is a leftover of a crash; a write takes seconds. */
const ABANDONED = 600_000
/** The same where no process of this machine writes it; one of another machine that shares the folder might. */
const ABANDONED_DEAD = 10_000

/** Removes the temporary files that a crash within `writeAtomic` left in a folder and the folders below it. */
export function removeLeftovers(folder: string): void {
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const each of [folder, ...inside.map(({ name }) => join(folder, name))]) removeLeftoversBeside(each)
}

/** The same in a folder alone. */
export function removeLeftoversBeside(folder: string): void {
  for (const name of readdirSync(folder)) {
    const found = TEMPORARY.exec(name)
    if (found) removeAbandoned(join(folder, name), Number(found.groups?.pid ?? process.pid))
  }
}

function removeAbandoned(path: string, pid: number): void {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
  if (Date.now() - changed > (isAlive(pid) ? ABANDONED : ABANDONED_DEAD)) rmSync(path, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return fileErrorCode(error) === 'EPERM' // it belongs to somebody else
  }
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
  const temporary = join(folder, `.${basename(path).slice(0, 100)}.${process.pid}.${randomUUID()}.tmp`)
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
