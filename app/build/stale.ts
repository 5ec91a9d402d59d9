import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = ['engine', 'renderer', 'app', 'docs', 'experiments', 'package-lock.json']

/** The file that says by its time when the sources were read of which `dist/` was built. */
export function stampOf(root: string): string {
  return join(root, 'dist/built')
}

/** Whether a source is newer than what was built of it. */
export function isStale(root: string): boolean {
  return newest(SOURCES.map((name) => join(root, name))) > newest([stampOf(root)])
}

/** The latest modification, in ms, of files and whole folders; 0 for what is not there. Folders notice deleted files. */
export function newest(paths: string[]): number {
  const times = paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found?.isDirectory()) return found?.mtimeMs ?? 0
    return [found.mtimeMs, newest(readdirSync(path).map((name) => join(path, name)))]
  })
  return Math.max(0, ...times)
}
