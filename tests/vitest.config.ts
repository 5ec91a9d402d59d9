import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { PATIENCE } from './patience.ts'

const root = resolve(import.meta.dirname, '..')

// What Node makes of packages is kept for the next worker, and for the servers and commands that tests start.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node')

/** What all tests have in common: a test ends by what it waits for, long before these limits. */
export const common = {
  testTimeout: 2 * PATIENCE,
  hookTimeout: PATIENCE,
  expect: { poll: { timeout: PATIENCE } },
}

export default defineConfig({
  root,
  test: {
    maxWorkers: availableParallelism(),
    projects: [
      {
        root,
        test: {
          ...common,
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: ['tests/e2e/**'],
          setupFiles: ['tests/setup.ts'],
        },
      },
      {
        root,
        test: { ...common, name: 'e2e', include: ['tests/e2e/**/*.test.ts'], globalSetup: ['tests/e2e/build.ts'] },
      },
    ],
  },
})
