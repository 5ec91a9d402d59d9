import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { removeLeftovers, removeLeftoversBeside } from './atomic.ts'
import { ensureFolder } from './folder.ts'
import { keepPrivate } from './private.ts'

/** The folders of a workspace; absolute, links resolved. */
export interface Workspace {
  root: string
  /** `.mixlab`: what the workbench keeps for itself. */
  inner: string
  database: string
  objects: string
  owners: string
  history: string
  /** Deleted notebooks; made with the first. */
  bin: string
}

/**
 * Opens the workspace at `folder`, making what is missing and removing what crashes have left. Throws MixlabError `store`
 * where that cannot be.
 */
export function openWorkspace(folder: string): Workspace {
  ensureFolder(resolve(folder))
  const root = realpathSync.native(folder)
  ensureFolder(join(root, '.mixlab'))
  const inner = realpathSync.native(join(root, '.mixlab'))
  const workspace = {
    root,
    inner,
    database: join(inner, 'mixlab.db'),
    objects: join(inner, 'objects'),
    owners: join(inner, 'owners'),
    history: join(inner, 'history'),
    bin: join(inner, 'bin'),
  }
  for (const path of [workspace.objects, workspace.owners, workspace.history]) ensureFolder(path)
  keepPrivate(inner, 0o700)
  removeLeftoversBeside(root)
  for (const path of [inner, workspace.objects, workspace.history]) removeLeftovers(path)
  return workspace
}
