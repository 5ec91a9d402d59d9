import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { anchorOf, DOCUMENTS, foundLine, search } from '../../../renderer/documents/documents.ts'

it('has every document by its title', () => {
  const files = globSync('*.md', { cwd: resolve(import.meta.dirname, '../../../docs') })
  expect(DOCUMENTS.map(({ name }) => `${name}.md`).sort()).toEqual(files.sort())
  expect(DOCUMENTS.find(({ name }) => name === 'statistics')?.title).toBe('What the verdicts compute')
})

it('finds sections by their words, headings first', () => {
  const [first] = search('number of SEEDS can')
  expect(first).toMatchObject({ document: { name: 'statistics' }, heading: 'What a number of seeds can show' })
  expect(first && foundLine(first, 'seeds')).toMatch(/seeds/i)
  expect(search('nosuchword')).toEqual([])
  expect(search('  ')).toEqual([])
})

it('names sections as their links do', () => {
  expect(anchorOf('Metrics of your own')).toBe('metrics-of-your-own')
  expect(anchorOf('What `from:` does')).toBe('what-from-does')
})
