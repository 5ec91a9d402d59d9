import { beforeAll, describe, expect, it } from 'vitest'
import { NUMERICS } from '../../engine/records/numerics.ts'
import type { Study } from '../../engine/study/compare.ts'
import { only } from '../../engine/study/only.ts'
import { onSimd } from '../engine/backends/simd/setup.ts'
import { architectures } from '../engine/models/tiny.ts'
import { LONG, sample } from '../long.ts'
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

/** Whether a study is one of the 18 of a task and an optimizer, with all architectures; all others have an option each. */
const hasAll = (study: string) => / (adamw|lamb|sgd)$/.test(study)

/**
 * Of each of the studies with all architectures another one: an architecture is trained by one of the three optimizers on one
 * of the six tasks. The other studies whole.
 */
function sampled(studies: Study[]): Study[] {
  let turn = 0
  return studies.map((study) => {
    if (!hasAll(study.name)) return study
    const all = Object.keys(study.spec.variants)
    return only(study, { variants: sample(all, turn++ % all.length, all.length) })
  })
}

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
    const former = await formerKeys('own') // the others are younger
    expect(Object.fromEntries(former.map((run) => [nameOf(run), shortKey(run)]))).toEqual({
      'own / wide': 'cff7d9592edf6178',
      'own / wider': '561338adab1310a9',
      'own / derived': '0fba3256ee587b0c',
    })
  })
  it('draws: every named draw has the values it had', async () => {
    const values = { numerics: NUMERICS, ...(await drawnValues()) }
    expect(Object.keys(values), STALE).toEqual(Object.keys(drawn))
    expect(changedDraws(drawn, values), DRAW_CHANGED).toEqual([])
  })
  it('bits: runs of the same key end with the same weights and metrics', async ({ skip }) => {
    skip(!(await fusesMultiplyAdd()), 'this machine does not fuse relaxed multiply-adds: its bits are its own')
    const bits = await trainedBits(sampled)
    const trained = planned.filter(({ key }) => bits.has(key))
    const left = planned.filter((run) => !trained.includes(run))
    expect(left.filter(({ study }) => LONG || !hasAll(study)).map(nameOf)).toEqual([])
    const all = trained.filter(({ study }) => hasAll(study))
    expect(new Set(all.map(({ variant }) => variant)).size).toBe(architectures.length)
    const rows = rowsWith((name, key) => bits.get(key) ?? table[name]?.[2] ?? '')
    expect(changed(table, rows, 2), BITS_CHANGED).toEqual([])
  })
})
