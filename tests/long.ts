// `npm run long`: the tests in a browser of which `npm test` does a part, in full.
import { conclude, test, timed } from './stages.ts'

/** Whether these tests are to be done in full. */
export const LONG = process.env.MIXLAB_LONG === '1'

const FILES = ['live', 'kernel', 'keyboard', 'simd']

if (import.meta.main) {
  process.env.MIXLAB_LONG = '1'
  const files = FILES.map((file) => `tests/e2e/${file}.test.ts`)
  conclude([await timed('the page in a browser, at length', () => test('e2e', files))])
}
