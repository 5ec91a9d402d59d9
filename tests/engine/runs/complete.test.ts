import { expect, it } from 'vitest'
import { completions } from '../../../engine/runs/complete.ts'
import { FIELDS } from './samples.ts'

const fields = { ...FIELDS, tags: ['keep', 'old'], studies: ['gating', 'two words'] }

it.each([
  ['task:mlm lr', ['task:mlm lr:']],
  ['-sta', ['-status:', '-started:']],
  ['test/a', ['test/accuracy']],
  ['batch', ['train.batch:']],
  ['tag:', ['tag:keep', 'tag:old']],
  ['x -tag:k', ['x -tag:keep']],
  ['study:t', ['study:gating', 'study:"two words"']],
  ['status:f', ['status:failed']],
  ['lr:', []],
  ['archived:yes', ['archived:yes,no']],
  ['constructor:', []],
])('%s may become %j', (text, expected) => {
  expect(completions(text, fields).toSorted()).toEqual(expected.toSorted())
})

it('offers the names of all fields for nothing', () => {
  expect(completions('', fields)).toContain('tag:')
})
