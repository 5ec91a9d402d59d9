import { expect, it } from 'vitest'
import { wrapped } from '../../../../app/cli/training/wrapped.ts'

it('a sentence is cut between words, no line is longer than asked for, and none is lost', () => {
  const sentence = 'gated against ungated: better by 46.3 points, 95% interval 44.5 to 47.9, 6 of 6 seeds, p 0.031'
  expect(wrapped(sentence)).toEqual([
    'gated against ungated: better by 46.3 points, 95% interval 44.5 to 47.9, 6 of 6',
    '  seeds, p 0.031',
  ])
  for (const width of [20, 40, 79, 80, 200]) {
    const lines = wrapped(`  ${sentence}`, width)
    expect(lines.every((line) => line.length <= width)).toBe(true)
    expect(lines.map((line) => line.trim()).join(' ')).toBe(sentence)
  }
})

it('short texts, long words and nothing stay as they are', () => {
  expect(wrapped('as it is')).toEqual(['as it is'])
  expect(wrapped('')).toEqual([''])
  expect(wrapped(`a ${'x'.repeat(100)} b`)).toEqual(['a', `  ${'x'.repeat(100)}`, '  b'])
})
