// `npm run long`: in full the tests of which `npm test` does a part; with `--all` also their longest random series.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { conclude, root, test, timed } from './stages.ts'

/** How much is done of the tests that come in parts. */
const level = process.env.MIXLAB_LONG ?? ''

/** Whether these tests are done in full. */
export const LONG = level !== ''

/** Whether their random series, which take minutes each, are done in full, too. */
export const ALL = level === 'all'

/**
 * All of them where these tests are done in full, or one of `every`, beginning with that of index `from`: tests that try
 * the same things in several ways take other ones each.
 */
export function sample<Item>(all: readonly Item[], from = 0, every = 6): Item[] {
  return all.filter((_, i) => LONG || i % every === from)
}

/** How many of so many random cases are tried: all where these tests are done in full, or a sixth. */
export const tries = (count: number): number => (LONG ? count : Math.ceil(count / 6))

if (import.meta.main) {
  const [, , ...words] = process.argv
  process.env.MIXLAB_LONG = words.includes('--all') ? 'all' : '1'
  const texts = new Map(
    globSync('tests/**/*.{ts,tsx}', { cwd: root }).map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  )
  const inParts = [...texts].filter(([, text]) => text.includes("/long.ts'")).map(([file]) => file)
  // what stands beside a test may say which part it does
  const besides = (file: string) =>
    inParts.some((part) => dirname(part) === dirname(file) && texts.get(file)?.includes(`'./${basename(part)}'`))
  const files = [...texts.keys()].filter(
    (file) => /\.test\.tsx?$/.test(file) && (inParts.includes(file) || besides(file)),
  )
  const filters = words.filter((word) => word !== '--all')
  conclude([await timed('tests', () => test(['unit*', 'e2e'], filters.length > 0 ? filters : files))])
}
