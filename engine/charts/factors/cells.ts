import type { Factor, Level } from '../../study/design/crossing.ts'
import { type Estimate, estimate, type SpreadKind } from '../spread.ts'
import { type FactorChartOptions, type FactorRow, factorOf } from './rows.ts'

/** What one seed shows at some levels: the value of its run, or its mean over the factors that are not shown. */
export interface CellSeed {
  seed: number
  /** Null where it is of several runs. */
  run: number | null
  value: number
}

/** One level of each factor that a chart shows. */
export interface Cell {
  levels: Level[]
  /** By seed, without seeds that lack a run. */
  seeds: CellSeed[]
  /** Null without any seed. */
  drawn: Estimate | null
}

/** Runs by the levels of the factors that a chart shows. */
export interface Cells {
  names: string[]
  /** All combinations of their levels, the last factor's changing fastest. */
  cells: Cell[]
  /** The factors that are averaged over, with those of their levels that have a value. */
  averaged: Factor[]
  /** Their levels that have none: averages are without them. */
  empty: Factor[]
  /** Runs that each seed of a cell is the mean of. */
  each: number
  /** Runs without a value, of all. */
  open: number
  total: number
}

/**
 * The cells of some factors. Where others are averaged over, a seed counts if it has a run at all of their levels that
 * any run has completed, so that all cells are means over the same levels, and the spread is over seeds alone.
 */
export function cellsOf(
  rows: readonly FactorRow[],
  names: string[],
  { factors }: Pick<FactorChartOptions, 'factors'>,
  spread: SpreadKind,
): Cells {
  const known = rows.filter((row): row is FactorRow & { value: number } => Number.isFinite(row.value))
  const rest = factors.filter(({ name }) => !names.includes(name))
  const levelsWith = (value: boolean) =>
    rest.map(({ name, levels }): Factor => {
      const present = new Set(known.map((row) => row.levels[name]))
      return { name, levels: levels.filter((level) => present.has(level) === value) }
    })
  const averaged = levelsWith(true)
  const each = averaged.reduce((product, { levels }) => product * levels.length, 1)
  const byLevels = Map.groupBy(known, ({ levels }) => keyOf(names.map((name) => levels[name])))
  const cells = combinations(names.map((name) => factorOf(factors, name))).map((levels): Cell => {
    const bySeed = Map.groupBy(byLevels.get(keyOf(levels)) ?? [], ({ seed }) => seed)
    const seeds = [...bySeed].flatMap(([seed, own]): CellSeed[] => {
      if (own.length < each) return []
      const value = own.reduce((sum, row) => sum + row.value, 0) / own.length
      return [{ seed, run: own.length === 1 ? (own[0]?.run ?? null) : null, value }]
    })
    seeds.sort((a, b) => a.seed - b.seed)
    const values = seeds.map(({ value }) => value)
    return { levels, seeds, drawn: estimate(values, spread) }
  })
  const open = rows.length - known.length
  return { names, cells, averaged, empty: known.length > 0 ? levelsWith(false) : [], each, open, total: rows.length }
}

/** The one run behind a cell; null where there are several, or none. */
export function onlyRun({ seeds }: Cell): number | null {
  return seeds.length === 1 ? (seeds[0]?.run ?? null) : null
}

/** All combinations of the levels of factors, the last one's changing fastest. */
export function combinations(factors: readonly Factor[]): Level[][] {
  return factors.reduce<Level[][]>(
    (rows, { levels }) => rows.flatMap((row) => levels.map((each) => [...row, each])),
    [[]],
  )
}

function keyOf(levels: readonly (Level | undefined)[]): string {
  return JSON.stringify(levels)
}
