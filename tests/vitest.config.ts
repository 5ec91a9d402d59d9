import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { ALL, LONG } from './long.ts'
import { PATIENCE } from './patience.ts'

const root = resolve(import.meta.dirname, '..')

// What Node makes of packages is kept for the next worker, and for the servers and commands that tests start.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node')

// The temporary files of tests, and of the processes that they start, lie in a folder that ends with the run. This file
// is read once for each project.
if (!process.env.MIXLAB_TEMPORARY) {
  const temporary = mkdtempSync(join(tmpdir(), 'mixlab-'))
  for (const name of ['MIXLAB_TEMPORARY', 'TMPDIR', 'TEMP', 'TMP']) process.env[name] = temporary
  process.once('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
}

/** What all tests have in common: a test ends by what it waits for, long before these limits. */
export const common = {
  testTimeout: (ALL ? 20 : LONG ? 4 : 2) * PATIENCE,
  hookTimeout: PATIENCE,
  expect: { poll: { timeout: PATIENCE } },
}

/** Their tests change what their modules keep: the backend of this process and its threads. */
const ALONE = ['tests/app/cli/bench.test.ts', 'tests/app/cli/conformance.test.ts']
/** Those in a browser are projects of their own. */
const BROWSER = ['tests/e2e/**', 'tests/cards/**']

/**
 * All other unit tests share the modules of a worker, which are loaded once; but those that put something in the place
 * of a module or a global have a worker of their own, too: a thread, which starts sooner than a process.
 */
const replaces = (file: string) =>
  /(vi\.(mock|doMock|resetModules|stubGlobal)|stubStorage)\(/.test(readFileSync(join(root, file), 'utf8'))
const shared = globSync('tests/**/*.test.{ts,tsx}', { cwd: root, exclude: [...ALONE, ...BROWSER] }).filter(
  (file) => !replaces(file),
)
const setupFiles = ['tests/setup.ts', 'tests/inThread.ts']

export default defineConfig({
  root,
  test: {
    // two more than there are cores: a test in a browser, or of a command, waits for other processes most of the time
    maxWorkers: availableParallelism() + 2,
    projects: [
      {
        root,
        test: {
          ...common,
          name: 'unit-shared',
          include: shared,
          isolate: false,
          setupFiles,
          globalSetup: ['tests/sharedFolder.ts'],
        },
      },
      {
        root,
        test: {
          ...common,
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [...BROWSER, ...shared],
          pool: 'threads',
          setupFiles,
        },
      },
      {
        root,
        test: {
          ...common,
          name: 'e2e',
          // each look at a page costs both processes something
          expect: { poll: { timeout: PATIENCE, interval: 100 } },
          include: ['tests/e2e/**/*.test.ts'],
          isolate: false,
          globalSetup: ['tests/e2e/build.ts'],
        },
      },
      {
        root,
        test: { ...common, name: 'cards', include: ['tests/cards/*.test.ts'], globalSetup: ['tests/e2e/build.ts'] },
      },
    ],
  },
})
