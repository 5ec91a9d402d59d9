import { expect, it } from 'vitest'
import { boundedProse, isLong, isQuick, proseOf } from '../../../renderer/markdown/prose.ts'

it('sets formulas, and says why where one is wrong', () => {
  const [paragraph] = boundedProse('$a^2$ and $\\frac{1$') ?? []
  const tokens = (paragraph as { tokens: { type: string; html?: string | null; error?: string }[] }).tokens
  const [good, , bad] = tokens
  expect(good).toMatchObject({ type: 'math', error: '' })
  expect(good?.html).toContain('katex')
  expect(bad).toMatchObject({ type: 'math', html: null, error: expect.stringContaining('expected') })
})

it.each([
  ['elements', '**a** '.repeat(3_000)],
  ['levels', `${'> '.repeat(200)}deep`],
  ['formulas', `$${'\\frac{a}{b}'.repeat(500)}$ `.repeat(5)],
])('shows no more than a page can: %s', (_, source) => {
  expect(boundedProse(source)).toBeNull()
  expect(proseOf(source).length).toBeGreaterThan(0)
})

it('has macros of TeX, and long texts, read elsewhere', () => {
  expect(isQuick('# A title\n$a^2$')).toBe(true)
  expect(['a '.repeat(1_000), '$\\def\\a{xx}\\a$', '$\\newcommand{\\a}{x}$'].map(isQuick)).toEqual(Array(3).fill(false))
})

it('does not count the pictures of a text', () => {
  expect(isLong(`![a](data:image/png;base64,${'A'.repeat(500_000)}) b`)).toBe(false)
  expect(isLong(`![a](data:image/png;base64,AAAA) ${'b '.repeat(60_000)}`)).toBe(true)
})
