// The one test command: types, lint with import direction and format, prose, unit and golden tests, the page in a browser.
import { findBrowser } from './browser.ts'
import { check, conclude, PAGE, PROSE, ROOMS, test, timed } from './stages.ts'

const browser = findBrowser()
const checks = await timed('types, lint and the page', () => check(ROOMS, PAGE, PROSE))
// in one stage, for a test in a browser leaves the processor to others while it waits
const tests = await timed('tests', () => test(browser ? ['unit*', 'e2e'] : ['unit*'], process.argv.slice(2)))
if (!browser) {
  console.log('skipped: no Chromium or Chrome found (MIXLAB_BROWSER names one)')
  tests.skipped++
}
conclude([checks, tests])
