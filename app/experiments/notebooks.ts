import { cpSync, globSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MixlabError, suggest } from '../../engine/errors.ts'

const folder = resolve(import.meta.dirname, '../../experiments')

/** The names of the ready notebooks, sorted: `solids`, and those that claims of a paper are tried in, `gmlp/gates`. */
export function readyNotebooks(): string[] {
  const files = globSync(['*.ts', '*/*.ts'], { cwd: folder })
  return files.map((file) => file.replaceAll('\\', '/').replace(/\.ts$/, '')).sort()
}

/** Makes a workspace for a ready notebook, with the data of others that ready notebooks read, in its folder `data`. */
export function makeWorkspace(workspace: string): void {
  mkdirSync(workspace, { recursive: true })
  cpSync(DATA, join(workspace, 'data'), { recursive: true })
}

/** Data sets of others that come with the ready notebooks, a folder each, with its notice. */
export const DATA = join(folder, 'data')

/** The file of a ready notebook, or with another ending the one beside it. */
export function fileOf(name: string, ending: 'ts' | 'json' = 'ts'): string {
  return join(folder, `${name}.${ending}`)
}

/**
 * The ready notebooks that were asked for: by name, by a paper, for all of its claims, or by the last part of a name; all
 * where none is. Throws MixlabError `option` for an unknown name.
 */
export function chosen(asked: readonly string[], known: readonly string[] = readyNotebooks()): string[] {
  if (asked.length === 0) return [...known]
  const found = asked.flatMap((word) => {
    const name = word.replace(/^(\.\/)?experiments\//, '').replace(/\.ts$|\/$/, '')
    const own = known.filter((each) => each === name || each.startsWith(`${name}/`) || each.endsWith(`/${name}`))
    if (own.length === 0) throw new MixlabError('option', word, `no ready notebook${suggest(name, known)}`)
    return own
  })
  return [...new Set(found)]
}
