import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MixlabError } from '../engine/errors.ts'
import { listNotebooks, openWorkspace, writeNotebook } from './workspace/index.ts'

/** What a new workspace starts with. */
const firstNotebook = 'first-comparison.ts'

/** The workspace of someone who names none: `MIXLAB_WORKSPACE`, or `Mixlab` in the home folder. */
export function defaultWorkspace(env: NodeJS.ProcessEnv, home: string): string {
  return env.MIXLAB_WORKSPACE ? resolve(env.MIXLAB_WORKSPACE) : join(home, 'Mixlab')
}

/**
 * Puts the ready notebook into the workspace at `folder`, made if need be, unless it has one, and returns the name of
 * the notebook to show first: the one last written. Throws MixlabError `store` if the folder cannot be used.
 */
export function ensureReadyNotebook(folder: string): string {
  const workspace = openWorkspace(folder)
  const [newest] = listNotebooks(workspace)
    .map((name) => ({ name, written: statSync(join(workspace.root, name)).mtimeMs }))
    .sort((a, b) => b.written - a.written)
  if (newest) return newest.name
  writeNotebook(workspace, firstNotebook, readFileSync(experiment(firstNotebook), 'utf8'), null)
  return firstNotebook
}

function experiment(name: string): URL {
  // beside app/ in the sources, two folders up from the bundle in dist/electron
  const found = [`../experiments/${name}`, `../../experiments/${name}`]
    .map((place) => new URL(place, import.meta.url))
    .find((place) => existsSync(place))
  if (!found) throw new MixlabError('notebook', name, 'is missing from this installation')
  return found
}
