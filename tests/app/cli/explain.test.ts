import { expect, it } from 'vitest'
import { LONG } from '../../long.ts'
import { freshFolder, mixlab, writeNotebook } from './recorder.ts'

const NOTEBOOK = `// %% a
import { compare, mixer, sequence, world } from 'mixlab'
export const texts = compare('texts', {
  task: sequence({ data: world({ train: 60, test: 20 }), tokens: 12, tokenizer: { vocabulary: 40 } }),
  model: { dim: 8, depth: 2 },
  variants: { mixer: mixer() },
  train: { steps: 2, batch: 8 },
  seeds: 1,
})
`

it('says what of a text and of a model an answer comes from, and what is wrong with a call', async () => {
  const folder = freshFolder()
  const explain = (...words: string[]) => mixlab(['explain', '1', ...words, '--workspace', folder])
  await mixlab(['run', writeNotebook(folder, NOTEBOOK), '--workspace', folder])
  const [head = '', ...lines] = (await explain('what a fine film')).out
  expect(head).toMatch(/^what a fine film: .+, probability 0\.\d{4}$/)
  expect(lines.slice(-4).map((line) => line.split('  ')[0])).toEqual(['without', 'nothing', 'block 0', 'block 1'])
  expect([head, ...lines].every((line) => line.length <= 80)).toBe(true)

  if (!LONG) return // each call is a process of its own
  const found = JSON.parse((await explain('--parts', '--examples', '4', '--json')).out[0] ?? '')
  expect(found).toMatchObject({ model: 'run 1', metric: 'validation/accuracy', examples: 4 })
  expect(found.parts.map(({ name }: { name: string }) => name)).toEqual(['block 0', 'block 1'])
  expect((await explain('a film', '--parts')).err.at(-1)).toContain('--parts: is of validation examples')
})
