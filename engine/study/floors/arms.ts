import { floorsSchema, type TaskFloors, type VariantFloors } from '../../records/design.ts'
import type { PlannedRun, StoredRun, StudyEvent } from '../../records/run.ts'
import type { Series } from '../../records/series.ts'
import { selectionMetric } from '../../records/splits.ts'
import type { RunStore } from '../../records/store.ts'
import { delay } from '../delay.ts'
import { floorsKeyOf } from '../key.ts'
import type { OpenStudy } from '../opened.ts'
import { FLOORS_VERSION, measureFloors } from './measureFloors.ts'

/** Points of a curve that are read to see whether it still rises. */
const BUCKETS = 200

type Surroundings = {
  runs: Pick<RunStore, 'findFloors' | 'keepFloors' | 'readSeries' | 'findDone'>
  signal: AbortSignal
}

/**
 * Sets the variants of a study beside the floors of their data, once its runs are over; nothing where none is done. Floors
 * that the store does not have are measured and kept. Stopped meanwhile, it says nothing.
 */
export async function* armsOf(
  open: Pick<OpenStudy, 'name' | 'metric' | 'variants'>,
  planned: readonly PlannedRun[],
  { runs, signal }: Surroundings,
): AsyncGenerator<StudyEvent> {
  if (planned.length === 0) return
  const done = new Map((await runs.findDone([...new Set(planned.map(({ key }) => key))])).map((run) => [run.key, run]))
  if (done.size === 0) return
  const known = new Map<string, TaskFloors | null>()
  const arms: VariantFloors[] = []
  for (const { name, opened } of open.variants) {
    const own = planned.filter(({ variant, key }) => variant === name && done.has(key))
    const [first] = own
    if (!first) continue
    const key = floorsKeyOf(first.spec)
    if (!known.has(key)) {
      const kept = await keptFloors(key, open.metric, runs)
      const floors = kept ?? (await measureFloors(opened, () => delay(0, signal)))
      if (signal.aborted) return
      if (!kept && floors) await runs.keepFloors(key, floors)
      known.set(key, floors)
    }
    const stored = own.map((run) => done.get(run.key) as StoredRun)
    const series = await runs.readSeries(
      stored.map(({ id }) => id),
      selectionMetric(open.metric),
      BUCKETS,
    )
    arms.push(variantFloorsOf(name, first.spec, open.metric, known.get(key) ?? null, { runs: stored, series }))
  }
  if (arms.length > 0) yield { type: 'arms', study: open.name, arms }
}

/** The floors that the store has, where they are of today and of the metric. */
async function keptFloors(key: string, metric: string, runs: Pick<RunStore, 'findFloors'>): Promise<TaskFloors | null> {
  const { data: floors } = floorsSchema.safeParse(await runs.findFloors(key))
  const isMeasured = floors?.version === FLOORS_VERSION && floors.models.some(({ values }) => metric in values)
  return isMeasured ? floors : null
}

/** A variant beside floors: what its runs saw, and how much they still improved at their end. */
export function variantFloorsOf(
  variant: string,
  spec: Record<string, unknown>,
  metric: string,
  floors: TaskFloors | null,
  { runs, series }: { runs: readonly Pick<StoredRun, 'id' | 'steps' | 'metrics'>[]; series: readonly Series[] },
): VariantFloors {
  const { steps = 0, batch = 0 } = (spec.train ?? {}) as { steps?: number; batch?: number }
  const better = runs.flatMap((run) => run.metrics[metric]?.meaning?.better ?? [])[0]
  const rises = runs.flatMap(({ id, steps }) => {
    const line = series.find(({ run }) => run === id)
    return line ? riseOf(line, steps) : []
  })
  return {
    variant,
    epochs: floors?.train ? (steps * batch) / floors.train : null,
    rises: better ? rises.map((rise) => (better === 'higher' ? rise : -rise)) : [],
    floors: (floors?.models ?? []).flatMap(({ name, values }) => {
      const value = values[metric]
      return value === undefined ? [] : [{ name, value }]
    }),
    ...{ fitted: floors?.fitted ?? 0, train: floors?.train ?? null },
    ...{ measured: floors?.measured ?? 0, test: floors?.test ?? null },
  }
}

/** How much a curve rose in the last fifth of a training; nothing where it has no point in the part before that. */
function riseOf({ steps, values }: Series, length: number): number[] {
  const before = values[steps.findLastIndex((step) => step >= 0.5 * length && step <= 0.8 * length)]
  const end = steps.at(-1) === length ? values.at(-1) : undefined
  const rise = (end ?? Number.NaN) - (before ?? Number.NaN)
  return Number.isFinite(rise) ? [rise] : []
}
