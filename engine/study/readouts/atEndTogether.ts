import type { ReadoutResult } from '../../readouts/reader.ts'
import type { Readout, RunAmongOthers } from '../../readouts/readout.ts'
import type { StoredRun } from '../../records/run.ts'
import type { RunStore } from '../../records/store.ts'
import type { OpenStudy, OpenVariant } from '../opened.ts'
import { stepTimes } from './stepTimes.ts'

/** A run of a seed, with what it is made of. */
export interface RunOfSeed {
  run: StoredRun
  variant: OpenVariant
}

/** The runs of each seed of a study, whatever is wanted of it; seeds of which one is not among `done` are left out. */
export function completeSeeds({ design, variants }: OpenStudy, done: readonly StoredRun[]): RunOfSeed[][] {
  const bySeed = Map.groupBy(design.runs, ({ seed }) => seed)
  return [...bySeed.values()].flatMap((planned) => {
    const keys = [...new Set(planned.map(({ key }) => key))]
    const found = keys.flatMap((key) => {
      const run = done.find((each) => each.key === key)
      const name = planned.find((each) => each.key === key)?.variant
      const variant = variants.find((each) => each.name === name)
      return run && variant ? [{ run, variant }] : []
    })
    return found.length === keys.length ? [found] : []
  })
}

/** Computes a read-out of each run of a seed; times are measured once for all that ask for them. */
export function seedReader(runs: readonly RunOfSeed[], store: Pick<RunStore, 'readSeries'>) {
  let measured: Promise<number[]> | null = null
  const times = () => {
    measured ??= stepTimes(
      runs.map(({ variant }) => variant),
      runs[0]?.run.seed ?? 0,
    )
    return measured
  }
  const all = runs.map(
    ({ run, variant }, i): RunAmongOthers => ({
      batch: variant.recipe.batch,
      steps: run.steps,
      macs: run.macs,
      stepMs: async () => (await times())[i] ?? Number.NaN,
      async valueAt(metric, step) {
        const [series] = await store.readSeries([run.id], metric, 1, [step, step])
        return series?.values[series.steps.findLastIndex((each) => each <= step)] ?? Number.NaN
      },
    }),
  )
  return async (compute: NonNullable<Readout['together']>): Promise<ReadoutResult[]> => {
    const results: ReadoutResult[] = []
    for (const own of all) results.push(await resultOf(() => compute(own, all)))
    return results
  }
}

async function resultOf(compute: () => Promise<number>): Promise<ReadoutResult> {
  try {
    const value = await compute()
    return { value, problem: Number.isNaN(value) ? 'gave NaN' : null, test: false }
  } catch (thrown) {
    return { value: Number.NaN, problem: { thrown }, test: false }
  }
}
