// `npm run bits`: writes the tables of runs and draws that lock.test.ts compares with, and prints what changed. Numbers
// that changed without a raised number of theirs are refused.
import { existsSync, writeFileSync } from 'node:fs'
import * as tf from '@tensorflow/tfjs'
import { registerSimd } from '../../engine/backends/simd/register.ts'
import { NUMERICS } from '../../engine/records/numerics.ts'
import { drawnValues } from './draws.ts'
import { fusesMultiplyAdd } from './fuses.ts'
import { nameOf, numericsOf, plannedRuns, shortKey, trainedBits } from './runs.ts'
import {
  BITS_CHANGED,
  changed,
  changedDraws,
  DRAW_CHANGED,
  DRAWS,
  type Draws,
  KEY_CHANGED,
  printTable,
  type Rows,
  RUNS,
  readTable,
  stale,
} from './table.ts'

tf.enableProdMode()
registerSimd()
await tf.setBackend('simd')
if (!(await fusesMultiplyAdd()))
  throw new Error('this machine does not fuse multiply-adds, so its bits are not those of others')

const planned = await plannedRuns()
const bits = await trainedBits()
const rows: Rows = Object.fromEntries(
  planned.map((run) => [nameOf(run), [numericsOf(run), shortKey(run), bits.get(run.key) ?? '']]),
)
const draws: Draws = { numerics: NUMERICS, ...(await drawnValues()) }
const runsBefore = existsSync(RUNS) ? readTable<Rows>(RUNS) : {}
const drawsBefore = existsSync(DRAWS) ? readTable<Draws>(DRAWS) : {}

const refused = [
  [KEY_CHANGED, changed(runsBefore, rows, 1)],
  [BITS_CHANGED, changed(runsBefore, rows, 2)],
  [DRAW_CHANGED, changedDraws(drawsBefore, draws)],
] as const
for (const [why, names] of refused) if (names.length > 0) console.error(`${names.join('\n')}\n${why}\n`)
if (refused.some(([, names]) => names.length > 0)) process.exit(1)

for (const name of stale(runsBefore, rows)) {
  const [before, after] = [runsBefore[name], rows[name]]
  console.log(`${name}: ${before ? (after ? `${before[0]} to ${after[0]}` : 'gone') : 'new'}`)
}
writeFileSync(RUNS, printTable(rows))
writeFileSync(DRAWS, printTable(draws))
console.log(`${Object.keys(rows).length} runs, ${Object.keys(draws).length - 1} draws`)
