import { beforeAll, describe, expect, it } from 'vitest'
import { NUMERICS } from '../../engine/records/numerics.ts'
import { onSimd } from '../engine/backends/simd/setup.ts'
import { architectures } from '../engine/models/tiny.ts'
import { drawnValues } from './draws.ts'
import { fusesMultiplyAdd } from './fuses.ts'
import { formerKeys, nameOf, numericsOf, plannedRuns, shortKey, trainedBits } from './runs.ts'
import {
  BITS_CHANGED,
  changed,
  changedDraws,
  DRAW_CHANGED,
  DRAWS,
  type Draws,
  KEY_CHANGED,
  type Row,
  type Rows,
  RUNS,
  readTable,
  STALE,
  stale,
} from './table.ts'

const table = readTable<Rows>(RUNS)
const drawn = readTable<Draws>(DRAWS)
let now: Rows = {}
let planned: Awaited<ReturnType<typeof plannedRuns>> = []
beforeAll(async () => {
  planned = await plannedRuns()
  now = rowsWith((name) => table[name]?.[2] ?? '')
})

function rowsWith(bits: (name: string, key: string) => string): Rows {
  const row = (run: (typeof planned)[number]): Row => [numericsOf(run), shortKey(run), bits(nameOf(run), run.key)]
  return Object.fromEntries(planned.map((run) => [nameOf(run), row(run)]))
}

describe('what stored results rest on', () => {
  onSimd()

  it('is all in the table, and nothing else is', () => {
    expect(stale(table, now), STALE).toEqual([])
    expect(drawn.numerics, STALE).toBe(NUMERICS)
  })
  it('has every architecture with every task and optimizer', () => {
    const names = ['image', 'mlm', 'sequence', 'pair', 'span', 'points'].flatMap((task) =>
      ['adamw', 'lamb', 'sgd'].flatMap((optimizer) =>
        architectures.map(([architecture]) => nameOf({ study: `${task} ${optimizer}`, variant: architecture })),
      ),
    )
    expect(names.filter((name) => !(name in now))).toEqual([])
  })
  it('keys: the same studies have the keys they had', () => {
    expect(changed(table, now, 1), KEY_CHANGED).toEqual([])
  })
  it('former keys: runs of code of cells have those of before by the same text', async () => {
    const former = await formerKeys()
    expect(Object.fromEntries(former.map((run) => [nameOf(run), shortKey(run)]))).toMatchObject({
      'own / wide': '875bca066bdc31c4',
      'own / wider': '06911b18c7fc60af',
      'own / derived': '496558083746b4c7',
    })
  })
  it('draws: every named draw has the values it had', async () => {
    const values = { numerics: NUMERICS, ...(await drawnValues()) }
    expect(Object.keys(values), STALE).toEqual(Object.keys(drawn))
    expect(changedDraws(drawn, values), DRAW_CHANGED).toEqual([])
  })
  it('bits: runs of the same key end with the same weights and metrics', async ({ skip }) => {
    skip(!(await fusesMultiplyAdd()), 'this machine does not fuse relaxed multiply-adds: its bits are its own')
    const bits = await trainedBits()
    expect(
      changed(
        table,
        rowsWith((_, key) => bits.get(key) ?? ''),
        2,
      ),
      BITS_CHANGED,
    ).toEqual([])
  })
})
