import { dirname } from 'node:path'
import type { Import } from './imports.ts'

/**
 * The tests that run something of what has changed, the nearest first: those of the folder of a change, then by the
 * number of files in between. Imports of types alone run nothing. Paths from the root of the project.
 */
export function testsOf(changed: readonly string[], imports: readonly Import[]): string[] {
  const run = imports.filter(({ types }) => !types)
  const importers = Map.groupBy(run, ({ to }) => to)
  const steps = new Map(changed.map((file) => [file, 0]))
  // what is added to a map while it is walked is walked, too
  for (const [file, step] of steps) {
    for (const { from } of importers.get(file) ?? []) if (!steps.has(from)) steps.set(from, step + 1)
  }
  const folders = new Set(changed.map((file) => `tests/${dirname(file)}`))
  const distance = ([test, step]: [string, number]) => (folders.has(dirname(test)) ? 0 : step)
  return [...steps]
    .filter(([file]) => /\.test\.tsx?$/.test(file) && !file.startsWith('tests/e2e/'))
    .toSorted((a, b) => distance(a) - distance(b))
    .map(([test]) => test)
}
