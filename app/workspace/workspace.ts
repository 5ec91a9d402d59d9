import { chmodSync, copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { removeLeftovers, removeLeftoversBeside } from './atomic.ts'
import { ensureFolder } from './folder.ts'
import { keepPrivate, PRIVATE } from './private.ts'

/** The folders of a workspace; absolute, links resolved. */
export interface Workspace {
  root: string
  /** `.mixlab`: what the workbench keeps for itself. */
  inner: string
  database: string
  objects: string
  owners: string
  history: string
  /** Decoded pictures, which can be decoded again; made with the first. */
  pictures: string
  /** Deleted notebooks; made with the first. */
  bin: string
}

/**
 * Opens the workspace at `folder`, making what is missing and removing what crashes have left. Throws MixlabError `store`
 * where that cannot be.
 */
export function openWorkspace(folder: string): Workspace {
  ensureFolder(resolve(folder))
  ensureFolder(join(realpathSync.native(folder), '.mixlab'))
  const workspace = pathsOf(folder)
  const { root, inner } = workspace
  for (const path of [workspace.objects, workspace.owners, workspace.history]) ensureFolder(path)
  keepPrivate(inner, 0o700)
  removeLeftoversBeside(root)
  for (const path of [inner, workspace.objects, workspace.history]) removeLeftovers(path)
  if (existsSync(workspace.pictures)) removeLeftovers(workspace.pictures)
  return workspace
}

/**
 * The same to read alone. Where this process cannot write to the workspace, `database` and `owners` are copies in a temporary
 * folder, which goes with the process: SQLite writes beside a file that it reads.
 */
export function openWorkspaceToRead(folder: string): Workspace {
  try {
    return openWorkspace(folder)
  } catch (error) {
    if (!existsSync(join(folder, '.mixlab', DATABASE))) throw error
    const workspace = pathsOf(folder)
    const copies = mkdtempSync(join(tmpdir(), 'mixlab-read-'))
    process.once('exit', () => rmSync(copies, { recursive: true, force: true }))
    const database = join(copies, DATABASE)
    const owners = join(copies, 'owners')
    ensureFolder(owners)
    for (const ending of ['', '-wal']) {
      if (!existsSync(workspace.database + ending)) continue
      copyFileSync(workspace.database + ending, database + ending)
      chmodSync(database + ending, PRIVATE) // the original may be read-only
    }
    return { ...workspace, database, owners }
  }
}

const DATABASE = 'mixlab.db'

function pathsOf(folder: string): Workspace {
  const root = realpathSync.native(folder)
  const inner = realpathSync.native(join(root, '.mixlab'))
  return {
    root,
    inner,
    database: join(inner, DATABASE),
    objects: join(inner, 'objects'),
    owners: join(inner, 'owners'),
    history: join(inner, 'history'),
    pictures: join(inner, 'pictures'),
    bin: join(inner, 'bin'),
  }
}
