import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = resolve(import.meta.dirname, '..')

/** Short files first: the first test that fails ends the run of a mutant. */
class ShortFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse()
  }
}

const shared = { root, test: { testTimeout: 60_000 } }
const plain = ['tests/{app,renderer}/**/*.test.{ts,tsx}', 'tests/engine/study/{statistics,source}/*.test.ts']

// The tests of the folders that tests/stryker.config.js names. Those without tensors do not load them for every mutant;
// those that start processes are left out, since a mutant is not there.
export default defineConfig({
  root,
  test: {
    sequence: { sequencer: ShortFirst },
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'plain',
          include: plain,
          exclude: ['tests/app/{bench,catalogue,cli,electron,kernels,server}/**', 'tests/renderer/{charts,editor}/**'],
        },
      },
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'tensors',
          include: ['tests/engine/*.test.ts', 'tests/engine/{data,notebook,records,study,train}/**/*.test.ts'],
          exclude: plain,
          setupFiles: ['tests/setup.ts'],
        },
      },
    ],
  },
})
