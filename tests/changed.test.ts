import { expect, it } from 'vitest'
import { testsOf } from './changed.ts'

const imports = [
  ['tests/engine/nn/dense.test.ts', 'engine/nn/dense.ts'],
  ['tests/engine/train/train.test.ts', 'engine/train/train.ts'],
  ['engine/train/train.ts', 'engine/train/model.ts'],
  ['engine/train/model.ts', 'engine/nn/dense.ts'],
  ['engine/nn/dense.ts', 'engine/random.ts'],
  ['tests/engine/nn/index.test.ts', 'engine/nn/index.ts'],
  ['engine/nn/index.ts', 'engine/nn/layers.ts'],
  ['engine/nn/layers.ts', 'engine/nn/init.ts'],
  ['engine/nn/init.ts', 'engine/nn/dense.ts'],
  ['engine/nn/dense.ts', 'engine/nn/init.ts'], // a circle ends, too
  ['tests/e2e/train.test.ts', 'engine/nn/dense.ts'],
  ['tests/app/alone.test.ts', 'app/alone.ts'],
].map(([from = '', to = '']) => ({ from, to, types: false }))

it('names the tests that run what has changed, the nearest first', () => {
  expect(testsOf(['engine/random.ts'], imports)).toEqual([
    'tests/engine/nn/dense.test.ts',
    'tests/engine/train/train.test.ts',
    'tests/engine/nn/index.test.ts',
  ])
})

it('takes those of the folder of a change before others', () => {
  expect(testsOf(['engine/nn/dense.ts'], imports)).toEqual([
    'tests/engine/nn/dense.test.ts',
    'tests/engine/nn/index.test.ts',
    'tests/engine/train/train.test.ts',
  ])
})

it('runs a test that has changed itself, and none for what no test runs', () => {
  expect(testsOf(['tests/app/alone.test.ts'], imports)).toEqual(['tests/app/alone.test.ts'])
  expect(testsOf(['docs/statistics.md'], imports)).toEqual([])
})

it('leaves out who only names its types', () => {
  const types = imports.map((each) => ({ ...each, types: true }))
  expect(testsOf(['engine/random.ts'], types)).toEqual([])
})
