// The stages of the test commands, each with its time. Checks run side by side, for each waits for nothing else.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')
export const ROOMS = ['engine', 'experiments', 'app', 'renderer', 'tests']

export interface Count {
  passed: number
  failed: number
  skipped: number
}

/** Does a stage and prints its title and, at its end, its time. */
export async function timed<Result>(title: string, stage: () => Promise<Result>): Promise<Result> {
  console.log(`\n== ${title}`)
  const begun = performance.now()
  const result = await stage()
  console.log(`== ${title}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  return result
}

/** Runs a program of the project; `stdio` as of `spawn`. Resolves with its exit code and what it wrote to pipes. */
async function run(
  program: string,
  args: readonly string[],
  stdio: 'inherit' | 'pipe',
): Promise<[code: number, said: string]> {
  const child = spawn(process.execPath, [join(root, program), ...args], { cwd: root, stdio: ['ignore', stdio, stdio] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (said += data))
  return new Promise((ended) => child.on('close', (code) => ended([code ?? 1, said])))
}

type Check = readonly [title: string, program: string, args: readonly string[]]

/** The page that the browser tests open, built where its sources have changed. */
export const PAGE: Check = ['the page is built', 'tests/e2e/build.ts', []]

/** Sentences that are hard to read: their number may fall, and never rise. */
export const PROSE: Check = ['prose', 'tests/prose.ts', []]

const LINT: Check = [
  'lint, import direction and format',
  'node_modules/@biomejs/biome/bin/biome',
  ['check', '--error-on-warnings'],
]

/**
 * The types of rooms, and of those that they import, each source checked once: a room sees declarations of the others.
 * They are kept, so that the compiler looks again only at what has changed, and at what imports that. Several checkers
 * in one program would each infer again what they share.
 */
const typesOf = (rooms: string[]): Check => [
  'types',
  'node_modules/typescript/bin/tsc',
  ['-b', ...rooms, '--checkers', '1'],
]

/** The types of some rooms, the lint, import direction and format of everything, and `more`: one check each. */
export async function check(rooms: string[], ...more: Check[]): Promise<Count> {
  const codes = await Promise.all(
    [...more, typesOf(rooms), LINT].map(async ([title, program, args]) => {
      const [code, said] = await run(program, args, 'pipe')
      console.log(`${code === 0 ? 'passed' : 'failed'}  ${title}`)
      if (code !== 0) console.log(said)
      return code
    }),
  )
  const passed = codes.filter((code) => code === 0).length
  return { passed, failed: codes.length - passed, skipped: 0 }
}

/** The tests of projects of vitest.config.ts, whose names may be such as `unit*`; `filters` are words that the command line of vitest takes. */
export async function test(projects: string[], filters: string[]): Promise<Count> {
  const report = join(tmpdir(), `mixlab-tests-${process.pid}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const config = ['--config', 'tests/vitest.config.ts', ...projects.flatMap((project) => ['--project', project])]
  const [code] = await run('node_modules/vitest/vitest.mjs', ['run', ...config, ...reporters, ...filters], 'inherit')
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
    // a file that cannot be loaded fails without a failed test
    const failed = code !== 0 && numFailedTests === 0 ? 1 : numFailedTests
    return { passed: numPassedTests, failed, skipped: numPendingTests }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  } finally {
    rmSync(report, { force: true })
  }
}

/** Prints the sum and sets the exit code. */
export function conclude(counts: Count[]): void {
  const sum = (of: keyof Count) => counts.reduce((total, count) => total + count[of], 0)
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
  process.exitCode = sum('failed') > 0 ? 1 : 0
}
