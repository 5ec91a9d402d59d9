import { describe, expect, it } from 'vitest'
import {
  corpora,
  mnli,
  pairData,
  spanData,
  squad,
  sst2,
  textData,
  textFiles,
  tsv,
} from '../../../../engine/data/text/index.ts'

describe('data sets of text', () => {
  it.each(Object.entries({ corpora, textData, pairData, spanData }))(
    'have names of their own in %s',
    (_, { names }) => {
      expect(new Set(names).size).toBe(names.length)
    },
  )

  it('are written as plain specs', () => {
    expect(textFiles({ path: 'd' })).toEqual({ dataset: 'textFiles', options: { path: 'd' } })
    expect(squad({ path: 'd' })).toEqual({ dataset: 'squad', options: { path: 'd' } })
    const columns = { first: 'text', label: 'kind' }
    expect(tsv({ path: 'd', columns })).toEqual({ dataset: 'tsv', options: { path: 'd', columns } })
    expect(sst2({ path: 'd', test: 'x.tsv' }).options).toMatchObject({ path: 'd', test: 'x.tsv', classes: ['0', '1'] })
    expect(mnli({ path: 'd' }).options).toMatchObject({ others: { mismatched: 'dev_mismatched.tsv' } })
  })

  it('leave a resolved spec as it is', () => {
    const cases = [
      [corpora, textFiles({ path: 'd' })],
      [textData, sst2({ path: 'd' })],
      [pairData, mnli({ path: 'd' })],
      [spanData, squad({ path: 'd' })],
    ] as const
    for (const [table, spec] of cases) expect(table.resolve(table.resolve(spec))).toEqual(table.resolve(spec))
  })
})
