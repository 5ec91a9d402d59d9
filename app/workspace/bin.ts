import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'
import type { DeletedNotebook } from '../../engine/host.ts'
import { fileErrorReason } from './file-error.ts'
import { ensureFolder } from './folder.ts'
import { moveHistory } from './history.ts'
import { isNotebookName } from './notebook-name.ts'
import { readNotebook } from './notebooks.ts'
import type { Workspace } from './workspace.ts'

/** `2026-11-22T14-17-16.123Z notes.ts`: when a notebook was deleted, and its name. */
const BINNED = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z) (.+)$/

/** Moves a notebook and its history into the bin. Throws MixlabError `notebook`. */
export function binNotebook(workspace: Workspace, name: string): DeletedNotebook {
  readNotebook(workspace, name)
  let at = Date.now()
  while (existsSync(join(workspace.bin, idOf(at, name)))) at++
  const id = idOf(at, name)
  try {
    ensureFolder(workspace.bin)
    renameSync(join(workspace.root, name), join(workspace.bin, id))
    moveHistory(workspace, name, id)
  } catch (error) {
    throw new MixlabError('notebook', name, `cannot be deleted: ${fileErrorReason(error)}`)
  }
  return { id, name, at }
}

/** The notebooks in the bin, the one deleted last first. */
export function listDeleted(workspace: Workspace): DeletedNotebook[] {
  if (!existsSync(workspace.bin)) return []
  return readdirSync(workspace.bin)
    .flatMap((id) => deletedOf(id) ?? [])
    .sort((a, b) => b.at - a.at)
}

/**
 * Moves a notebook and its history back, under its name or, where another has that by now, with the first number that
 * is free. Returns the name. Throws MixlabError `notebook`.
 */
export function unbinNotebook(workspace: Workspace, id: string): string {
  const found = listDeleted(workspace).find((each) => each.id === id)
  if (!found) throw new MixlabError('notebook', id, 'is not in the bin')
  const base = found.name.replace(/\.ts$/, '')
  let name = found.name
  for (let number = 2; existsSync(join(workspace.root, name)); number++) name = `${base}-${number}.ts`
  try {
    renameSync(join(workspace.bin, id), join(workspace.root, name))
    moveHistory(workspace, id, name)
  } catch (error) {
    throw new MixlabError('notebook', found.name, `cannot be brought back: ${fileErrorReason(error)}`)
  }
  return name
}

function idOf(at: number, name: string): string {
  return `${new Date(at).toISOString().replaceAll(':', '-')} ${name}`
}

function deletedOf(id: string): DeletedNotebook | null {
  const [, day, hour, minute, second, name = ''] = BINNED.exec(id) ?? []
  const at = Date.parse(`${day}${hour}:${minute}:${second}`)
  return Number.isNaN(at) || !isNotebookName(name) ? null : { id, name, at }
}
