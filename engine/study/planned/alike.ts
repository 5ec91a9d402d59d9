import type { StoredRun } from '../../records/run.ts'
import { upperSpread } from '../statistics/power.ts'
import { median } from '../time/median.ts'

/** A finished run, and a name that it shares with those of the same model. */
interface Known extends Pick<StoredRun, 'id' | 'seed' | 'ms' | 'metrics'> {
  model: number | string
}

/** How runs like those of a study came out: the same data, task and recipe, with any model and seed. */
export interface Alike {
  /** The standard deviation of the metric between seeds, over those models that have several; null where none has. */
  sd: number | null
  /** The largest that they leave open, with 80%: plans are made for it. */
  upper: number | null
  /** Runs that it is of. */
  runs: number
  /** Milliseconds that a run took, in the middle; null where there is none. */
  ms: number | null
}

/** What stored runs like those of a study say of its metric, each model against itself. */
export function alikeOf(found: readonly Known[], metric: string): Alike {
  const models = [...Map.groupBy(found, ({ model }) => model).values()]
  const groups = models.map((runs) => valuesOf(runs, metric)).filter((values) => values.length > 1)
  const squares = groups.reduce((sum, values) => {
    const mean = values.reduce((all, value) => all + value, 0) / values.length
    return sum + values.reduce((all, value) => all + (value - mean) ** 2, 0)
  }, 0)
  const count = groups.reduce((sum, values) => sum + values.length, 0)
  const freedom = count - groups.length
  const sd = freedom > 0 && squares > 0 ? Math.sqrt(squares / freedom) : null
  return {
    sd,
    upper: sd === null ? null : upperSpread(sd, freedom),
    runs: count,
    ms: median(found.map(({ ms }) => ms)),
  }
}

/** One value of each seed, the newest. */
function valuesOf(runs: readonly Known[], metric: string): number[] {
  const bySeed = new Map<number, number>()
  for (const { seed, metrics } of runs.toSorted((a, b) => a.id - b.id)) {
    const value = metrics[metric]?.last
    if (value !== undefined && Number.isFinite(value)) bySeed.set(seed, value)
  }
  return [...bySeed.values()]
}
