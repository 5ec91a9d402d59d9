import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'
import { fileErrorCode, fileErrorReason } from './file-error.ts'

/** Makes a folder and those above it, and checks that files can be written in it. Throws MixlabError `store`. */
export function ensureFolder(path: string): void {
  try {
    makeFolder(path)
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    if (error instanceof MixlabError) throw error
    throw new MixlabError(
      'store',
      path,
      `cannot be ${mayRead(path) ? 'written to' : 'read'}: ${fileErrorReason(error)}`,
    )
  }
}

/** Whether a folder is not kept from this user altogether; one that is not there is not. */
function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch (error) {
    return fileErrorCode(error) !== 'EACCES'
  }
}

// `mkdirSync` with `recursive` never returns where an existing parent answers ENOENT, as /proc does.
function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found) throw new MixlabError('store', path, 'is not a folder')
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have made it in between.
    if (fileErrorCode(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error
  }
}
