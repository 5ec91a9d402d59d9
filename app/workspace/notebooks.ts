import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MixlabError, suggest } from '../../engine/errors.ts'
import type { NotebookFile } from '../../engine/host.ts'
import { writeAtomic } from './atomic.ts'
import { fileErrorReason } from './file-error.ts'
import { keepVersion, moveHistory } from './history.ts'
import { realPath } from './inside.ts'
import { checkName, isNotebookName } from './notebook-name.ts'
import { readRegularFile } from './regular-file.ts'
import type { Workspace } from './workspace.ts'

/** Names of the notebooks, sorted: the `.ts` files of the workspace but declaration and dot files. Throws `store`. */
export function listNotebooks(workspace: Workspace): string[] {
  try {
    const names = readdirSync(workspace.root)
    return names.filter((name) => isNotebookName(name) && fileOf(workspace, name) !== null).sort()
  } catch (error) {
    throw new MixlabError('store', workspace.root, `cannot be read: ${fileErrorReason(error)}`)
  }
}

/** Reads a notebook. Throws MixlabError `notebook`. */
export function readNotebook(workspace: Workspace, name: string): NotebookFile {
  checkName(name)
  const text = currentText(workspace, name)
  if (text === null) {
    const known = listNotebooks(workspace)
    throw new MixlabError('notebook', name, `no such notebook${known.length ? suggest(name, known) : ''}`)
  }
  return { name, text, revision: revisionOf(text) }
}

/**
 * Replaces a notebook, or makes it where `revision` is null, and keeps the old text in the history.
 * Returns the new revision. Throws MixlabError `notebook` if the text on disk is not that of `revision`.
 */
export function writeNotebook(workspace: Workspace, name: string, text: string, revision: string | null): string {
  checkName(name)
  const bytes = Buffer.from(text)
  const current = currentText(workspace, name)
  // Whoever wrote it, what is asked for is there.
  if (current !== null && bytes.equals(Buffer.from(current))) return revisionOf(bytes)
  if (current === null && revision !== null) throw new MixlabError('notebook', name, 'was deleted since it was read')
  if (current !== null && revision === null) throw new MixlabError('notebook', name, 'exists already')
  if (current !== null && revision !== revisionOf(current)) {
    throw new MixlabError('notebook', name, 'has changed on disk since it was read')
  }
  try {
    const path = fileOf(workspace, name) ?? join(workspace.root, name)
    if (current !== null) keepVersion(workspace, name, current, statSync(path).mtimeMs)
    writeAtomic(path, bytes)
  } catch (error) {
    if (error instanceof MixlabError) throw error
    throw new MixlabError('notebook', name, `cannot be written: ${fileErrorReason(error)}`)
  }
  return revisionOf(bytes)
}

/** Gives a notebook another name; its history goes with it. Throws MixlabError `notebook`. */
export function renameNotebook(workspace: Workspace, from: string, to: string): void {
  checkName(to)
  readNotebook(workspace, from)
  if (existsSync(join(workspace.root, to))) throw new MixlabError('notebook', to, 'exists already')
  try {
    renameSync(join(workspace.root, from), join(workspace.root, to))
    moveHistory(workspace, from, to)
  } catch (error) {
    throw new MixlabError('notebook', from, `cannot be renamed: ${fileErrorReason(error)}`)
  }
}

/** The file of a notebook's name, after symbolic links; null where the workspace has no such file. */
function fileOf(workspace: Workspace, name: string): string | null {
  try {
    const path = realPath(join(workspace.root, name))
    return dirname(path) === workspace.root && statSync(path).isFile() ? path : null
  } catch {
    return null
  }
}

function currentText(workspace: Workspace, name: string): string | null {
  try {
    const path = fileOf(workspace, name)
    if (path) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readRegularFile(path))
    if (!readdirSync(workspace.root).includes(name)) return null
  } catch (error) {
    const reason = error instanceof TypeError ? 'is not UTF-8 text' : `cannot be read: ${fileErrorReason(error)}`
    throw new MixlabError('notebook', name, reason)
  }
  throw new MixlabError('notebook', name, 'is not a file in the workspace')
}

function revisionOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex')
}
