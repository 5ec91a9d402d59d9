// `npm run long`: the tests of which `npm test` does a part, in full.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { conclude, root, test, timed } from './stages.ts'

/** Whether these tests are to be done in full. */
export const LONG = process.env.MIXLAB_LONG === '1'

/** All of them where these tests are done in full, or every third. */
export function sample<Item>(all: readonly Item[]): Item[] {
  return all.filter((_, i) => LONG || i % 3 === 0)
}

if (import.meta.main) {
  process.env.MIXLAB_LONG = '1'
  const files = globSync('tests/**/*.test.ts', { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes("/long.ts'"),
  )
  conclude([await timed('tests', () => test(['unit*', 'e2e'], files))])
}
