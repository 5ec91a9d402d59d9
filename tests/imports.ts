import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** One file of the project naming another; paths from the root of the project. */
export interface Import {
  from: string
  to: string
  /** Only types are named: nothing of it is left when the code runs. */
  types: boolean
}

const SOURCE = /\.(ts|tsx|css|svg)$/
const NAMED = [
  // import { a } from './b.ts', export * from './b.ts', import type ...
  /^(?:import|export)\s+(type\s)?(?:[\w*{][^'";]*?\s+from\s+)?'(\.\.?\/[^']+)'/gm,
  // import('./b.ts'), new URL('./b.ts', import.meta.url)
  /(?:import|new URL)\(()\s*'(\.\.?\/[^']+)'/g,
]

/** The source files below a folder, which is relative to `root`. */
export function sourceFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name)))
    .sort()
}

/** Each name of a file of the project in `text`, the source of `file`. */
export function importsOf(file: string, text: string): Import[] {
  return NAMED.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, type, path = '']) => ({
      from: file,
      to: posix.normalize(posix.join(dirname(file), path.replace(/\?.*/, ''))),
      types: type !== undefined && type !== '',
    })),
  )
}

/** The imports of every source file below the folders. */
export function readImports(root: string, folders: readonly string[]): Import[] {
  return folders
    .flatMap((folder) => sourceFiles(root, folder))
    .flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')))
}
