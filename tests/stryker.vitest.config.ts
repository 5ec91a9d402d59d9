import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { common } from './vitest.config.ts'

const root = resolve(import.meta.dirname, '..')

/** Short files first: the first test that fails ends the run of a change. */
class ShortFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse()
  }
}

const plain = ['tests/{app,renderer}/**/*.test.{ts,tsx}', 'tests/engine/study/{statistics,source}/*.test.ts']
const training = 'tests/renderer/host/faults.test.ts'
const exporting = 'tests/engine/export/{card,prove}.test.ts'
const tensors = [
  ...['tests/engine/*.test.ts', 'tests/engine/{data,notebook,records,study,train}/**/*.test.ts'],
  ...[training, exporting],
]
const others = [
  training,
  ...['tests/app/{bench,catalogue,cli,electron,kernels,server}/**', 'tests/renderer/{charts,editor}/**'],
  // what is done before all tests is not of one of them, and would have all run for each change that it reaches
  'tests/app/store/series.test.ts',
]

// The tests of the folders that tests/stryker.config.js names. Those without tensors do not load them for every change;
// those that start processes are left out, since the change is not there.
export const projects = [
  { root, test: { ...common, name: 'plain', include: plain, exclude: others } },
  {
    root,
    test: { ...common, name: 'tensors', include: tensors, exclude: plain.slice(1), setupFiles: ['tests/setup.ts'] },
  },
]

export default defineConfig({ root, test: { sequence: { sequencer: ShortFirst }, projects } })
