import { type Cause, causes } from './causes.ts'
import type { Comparison } from './compare.ts'
import { type Factor, factorsOf, type Known } from './factors.ts'

/** What tells the disagreements of two runs apart, the best first; examples that depend on each other count as one. */
export function explain({ leads, outcomes: [first] }: Comparison, known: Known): Cause[] {
  const factors = factorsOf(known, first)
  if (!known.groups) return causes(leads, factors)
  const members = Map.groupBy(leads.keys(), (row) => known.groups?.[row])
  const groups = [...members.values()]
  const grouped = factors.map(
    ({ name, values }): Factor => ({ name, values: groups.map((rows) => valueOver(rows, values)) }),
  )
  return causes(
    groups.map((rows) => meanOver(rows, leads)),
    grouped,
  )
}

const meanOver = (rows: readonly number[], values: readonly number[]) =>
  rows.reduce((sum, row) => sum + (values[row] as number), 0) / rows.length

/** The mean of numbers; of sorts the first. */
function valueOver(rows: readonly number[], values: Factor['values']): number | string {
  const [first] = rows.map((row) => values[row])
  return typeof first === 'number' ? meanOver(rows, values as number[]) : String(first)
}
