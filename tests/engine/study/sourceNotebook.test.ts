import { expect, it } from 'vitest'
import { sourceNotebookText } from '../../../engine/study/sourceNotebook.ts'
import { verdicts } from '../../../engine/study/statistics/index.ts'

it('names the notebooks that results were taken from, of those that are done', () => {
  const done = (notebook?: string) => ({ status: 'done' as const, notebook })
  expect(sourceNotebookText([done('a.ts'), done(), done('b.ts'), done('c.ts'), done('b.ts')], 'a.ts')).toBe(
    '2 taken from notebook b.ts, 1 taken from notebook c.ts',
  )
  expect(sourceNotebookText([{ status: 'running', notebook: 'b.ts' }, done('a.ts')], 'a.ts')).toBe('')
  expect(sourceNotebookText([done('b.ts')], null)).toBe('')
})

it('is said in the sentence of a verdict', () => {
  const run = (id: number, variant: string, seed: number, notebook: string) => ({
    ...{ id, variant, seed, notebook, status: 'done' as const, backend: 'cpu' },
    metrics: { loss: { last: id, best: id } },
  })
  const runs = [run(1, 'a', 1, 'a.ts'), run(2, 'b', 1, 'b.ts'), run(3, 'a', 2, 'a.ts'), run(4, 'b', 2, 'b.ts')]
  const input = { metric: 'loss', runs, variants: ['a', 'b'], baseline: 'a' }
  expect(verdicts({ ...input, notebook: 'a.ts' })[0]?.sentence).toContain('2 taken from notebook b.ts')
  expect(verdicts(input)[0]?.sentence).not.toContain('taken from')
})
