// The one test command: types, lint with import direction and format, unit and golden tests, the page in a browser.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildStale } from '../app/start.ts'
import { findBrowser } from './browser.ts'

const root = resolve(import.meta.dirname, '..')
const rooms = ['engine', 'experiments', 'app', 'renderer', 'tests']
const count = { passed: 0, failed: 0, skipped: 0 }

/** Runs a program that the project brings; counts as one check unless it reports tests of its own. */
function run(title: string, packageFile: string, args: string[], report?: string): void {
  console.log(`\n== ${title}`)
  const program = join(root, 'node_modules', packageFile)
  const { status } = spawnSync(process.execPath, [program, ...args], { cwd: root, stdio: 'inherit' })
  if (report === undefined) {
    count[status === 0 ? 'passed' : 'failed'] += 1
    return
  }
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'))
    count.passed += result.numPassedTests
    count.failed += result.numFailedTests
    count.skipped += result.numPendingTests
    // a file that cannot be loaded fails without a failed test
    if (status !== 0 && result.numFailedTests === 0) count.failed += 1
  } catch {
    count.failed += 1
  } finally {
    rmSync(report, { force: true })
  }
}

function runTests(title: string, project: string): void {
  const report = join(tmpdir(), `mixlab-${project}-${process.pid}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const config = ['--config', 'tests/vitest.config.ts', '--project', project]
  run(title, 'vitest/vitest.mjs', ['run', ...config, ...reporters, ...process.argv.slice(2)], report)
}

for (const room of rooms) run(`types: ${room}`, 'typescript/bin/tsc', ['-p', room])
run('lint, import direction and format', '@biomejs/biome/bin/biome', ['check', '--error-on-warnings'])
runTests('unit and golden tests', 'unit')
if (findBrowser()) {
  await buildStale(console.log)
  runTests('the page in a browser', 'e2e')
} else {
  console.log('\n== the page in a browser\nskipped: no Chromium or Chrome found (MIXLAB_BROWSER names one)')
  count.skipped += 1
}

console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
process.exitCode = count.failed > 0 ? 1 : 0
