import { expect, it } from 'vitest'
import { dataNamed } from '../../../engine/data/dataNamed.ts'

it.each([
  ['mnist', 'mnist'],
  ['cifar-10', 'cifar-10'],
  [
    "idx({ path: 'digits', classes: ['a', 'b'] })",
    { dataset: 'idx', options: { path: 'digits', classes: ['a', 'b'] } },
  ],
  ['shapes()', { dataset: 'shapes', options: {} }],
  ["glyphs({ 'size': 16, difficulty: -1 })", { dataset: 'glyphs', options: { size: 16, difficulty: -1 } }],
  ["sst2({ path: 'a' })", { dataset: 'tsv', options: expect.objectContaining({ path: 'a', test: 'dev.tsv' }) }],
])('names a data set as a cell does: %s', (text, spec) => {
  expect(dataNamed(text, '--data')).toEqual(spec)
})

it.each([
  ['idxx()', "--data: unknown data set 'idxx' (did you mean 'idx'?)"],
  ['idx({ path: `a` })', 'has a value that is not written out'],
  ['idx({ path: process.exit() })', 'has a value that is not written out'],
  ['idx({ ...a })', 'has a name that is not written out'],
  ['idx({ [a]: 1 })', 'has a name that is not written out'],
  ['idx(/a/)', 'has a value that is not written out'],
  ['idx(1)', 'needs options, { ... }, or nothing'],
  ['idx({}); shapes()', 'has something behind'],
  ['idx({', 'cannot be read'],
  ['a.b()', 'is no call of a data set'],
  ['() => 1', 'is no call of a data set'],
  ['constructor()', 'unknown data set'],
])('refuses %s', (text, message) => {
  expect(() => dataNamed(text, '--data')).toThrow(message)
})
