// `npm run long`: the tests of which `npm test` does a part, in full.
import { conclude, test, timed } from './stages.ts'

/** Whether these tests are to be done in full. */
export const LONG = process.env.MIXLAB_LONG === '1'

/** All of them where these tests are done in full, or every third. */
export function sample<Item>(all: readonly Item[]): Item[] {
  return all.filter((_, i) => LONG || i % 3 === 0)
}

const IN_BROWSER = ['live', 'layout', 'kernel', 'keyboard', 'simd', 'cards'].map((file) => `tests/e2e/${file}.test.ts`)
const UNITS = ['tests/engine/export', 'tests/engine/compile']

if (import.meta.main) {
  process.env.MIXLAB_LONG = '1'
  const units = await timed('unit tests', () => test('unit*', UNITS))
  conclude([units, await timed('the page in a browser', () => test('e2e', IN_BROWSER))])
}
