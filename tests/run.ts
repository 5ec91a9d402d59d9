// The one test command: types, lint with import direction and format, unit and golden tests, the page in a browser.
import { findBrowser } from './browser.ts'
import { type Count, check, conclude, ROOMS, test, timed } from './stages.ts'

const filters = process.argv.slice(2)

async function page(): Promise<Count> {
  if (findBrowser()) return test('e2e', filters)
  console.log('skipped: no Chromium or Chrome found (MIXLAB_BROWSER names one)')
  return { passed: 0, failed: 0, skipped: 1 }
}

const checks = await timed('types and lint', () => check(ROOMS))
const unit = await timed('unit and golden tests', () => test('unit*', filters))
const browser = await timed('the page in a browser', page)
conclude([checks, unit, browser])
