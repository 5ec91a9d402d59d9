import { expect, it } from 'vitest'
import { replacement } from '../../../renderer/editor/replacement.ts'

it.each([
  ['', 'ab', 0, 0, 'ab'],
  ['ab', '', 0, 2, ''],
  ['const a = 1', 'const b = 1', 6, 7, 'b'],
  ['aa', 'aaa', 2, 2, 'a'],
  ['abab', 'ab', 2, 4, ''],
  ['x😀y', 'x😁y', 1, 3, '😁'],
  ['x😀y', 'x\u{1FA00}y', 1, 3, '\u{1FA00}'], // they end in the same unit
  ['😀', '😀😀', 2, 2, '😀'],
])('%s to %s', (before, after, start, end, text) => {
  expect(replacement(before, after)).toEqual({ start, end, text })
  expect(before.slice(0, start) + text + before.slice(end)).toBe(after)
})

it('changes nothing where texts are the same', () => {
  expect(replacement('abc', 'abc')).toEqual({ start: 3, end: 3, text: '' })
})
