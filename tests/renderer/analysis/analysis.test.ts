import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Cell } from '../../../engine/notebook/types.ts'
import { analyzeCells, designsOf } from '../../../renderer/analysis/analysis.ts'
import { analysisCalls, type Reading } from '../../../renderer/analysis/calls.ts'

/** Workers that never come to an end with a text that has 'endless' in it. */
const { workers } = vi.hoisted(() => ({ workers: { started: 0 } }))
vi.mock('../../../renderer/analysis/start.ts', () => ({
  startAnalysis(page: Reading) {
    workers.started++
    let end = (_: string) => {}
    const ended = new Promise<never>((_, reject) => {
      end = (why) => reject(new Error(why))
    })
    ended.catch(() => {})
    const calls = analysisCalls((source) => {
      page.reading(source)
      if (source.includes('endless')) throw ended
    })
    const over =
      <Given extends unknown[], Answer>(call: (...given: Given) => Answer) =>
      async (...given: Given) => {
        try {
          return call(...given)
        } catch (thrown) {
          if (thrown !== ended) throw thrown
          return await ended
        }
      }
    return {
      calls: {
        ...{ analyze: over(calls.analyze), designs: over(calls.designs) },
        ...{ withSeeds: over(calls.withSeeds), prose: over(calls.prose), report: over(calls.report) },
      },
      end,
    }
  },
}))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const code = (id: string, source: string): Cell => ({ id, kind: 'code', source })

it('ends a worker that stays with one cell, which has an error then, and reads the others in another', async () => {
  const cells = [code('a', 'const a = 1'), code('b', 'endless'), code('c', 'const c = a'), code('d', 'also endless')]
  const facts = analyzeCells(cells)
  await vi.runAllTimersAsync()
  expect((await facts).cells.map(({ error }) => error)).toEqual([
    null,
    'b: this cell takes too long to be analysed',
    null,
    'd: this cell takes too long to be analysed',
  ])
  expect(workers.started).toBe(3)

  const again = await analyzeCells(cells.toReversed())
  expect(again.cells[0]?.error).toContain('too long')
  expect(workers.started).toBe(3)
})

it('gives no designs of a text that takes too long, and those of the next', async () => {
  const none = designsOf("endless compare('s', { variants: { a, b }, seeds: 3 })")
  const some = designsOf("compare('s', { variants: { a, b }, seeds: 3 })")
  await vi.runAllTimersAsync()
  expect(await none).toEqual([])
  expect(await some).toEqual([{ study: 's', variants: 2, seeds: 3 }])
})
