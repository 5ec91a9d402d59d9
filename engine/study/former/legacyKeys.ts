import type { PlannedRun, StoredRun } from '../../records/run.ts'
import type { RunStore } from '../../records/store.ts'
import { BUILT_IN, type KeyedSpec, keyOfRun } from '../key.ts'
import type { OpenStudy } from '../opened.ts'
import type { RecordedSpec } from '../recreate/recorded.ts'
import { type LegacyRun, legacyRuns } from './legacyRuns.ts'

/** What settling asks of the store. */
export interface LegacyKeyStore {
  runs: Pick<RunStore, 'lookAt' | 'doubtRuns'>
  admit?: ((runs: PlannedRun[]) => Promise<void>) | undefined
}

/**
 * A study whose runs have the keys under which the store has them, and warnings about stored runs that it does not
 * take.
 */
export interface StudyWithLegacyKeys {
  open: OpenStudy
  warnings: string[]
}

/**
 * Gives runs that the store has under a former key that key. Where it is unknown whether their results are those of the run,
 * since other code had the same key or a gradient was wrong, they are marked in the store, and trained again under the key
 * of now.
 */
export async function keepLegacyKeys(open: OpenStudy, { runs, admit }: LegacyKeyStore): Promise<StudyWithLegacyKeys> {
  const keys = open.all.filter(hasCode).map(({ key }) => key)
  const known = new Set(keys.length > 0 ? (await runs.lookAt(keys)).map(({ key }) => key) : [])
  if (keys.every((key) => known.has(key))) return { open, warnings: [] }
  const all = await legacyRuns(open)
  await admit?.(all.map(({ run }) => run))
  const former = all.filter(({ key }) => !known.has(key))
  const stored = new Map((await runs.lookAt(former.map(({ run }) => run.key))).map((run) => [run.key, run]))
  const found: FoundRun[] = []
  for (const { key, run, doubt } of former) {
    const known = stored.get(run.key)
    if (known && known.status !== 'failed') found.push({ key, run, stored: known, doubt: await doubt() })
  }
  const doubtful = found.filter(({ doubt }) => doubt !== null)
  if (doubtful.length > 0) await runs.doubtRuns(doubtful.map(({ run }) => run.key))
  const taken = new Map<string, PlannedRun>()
  for (const [key, same] of Map.groupBy(
    found.filter(({ doubt }) => doubt === null),
    ({ key }) => key,
  )) {
    const first = same.find(({ stored }) => stored.status === 'done') ?? same[0]
    if (first) taken.set(key, first.run)
  }
  const warnings = [...Map.groupBy(doubtful, ({ doubt }) => doubt ?? '')].map(([why, runs]) => warningOf(why, runs))
  return { open: renamed(open, taken), warnings }
}

/** A run that the store has under a former key. */
interface FoundRun extends Pick<LegacyRun, 'key' | 'run'> {
  stored: StoredRun
  doubt: string | null
}

/** Whether code of cells is in the key of a run, or of the one that it starts from. */
function hasCode({ spec, from }: PlannedRun): boolean {
  const { model, metrics, definitions } = spec as unknown as Pick<RecordedSpec, 'model' | 'metrics' | 'definitions'>
  const codes = metrics !== undefined || definitions?.task !== undefined
  return model.code !== BUILT_IN || codes || (from !== undefined && !('path' in from))
}

function warningOf(why: string, doubtful: FoundRun[]): string {
  const ids = [...new Set(doubtful.map(({ stored }) => stored.id))]
  const variants = [...new Set(doubtful.map(({ run }) => `'${run.variant}'`))].join(', ')
  const [runs, are] = ids.length > 1 ? ['runs', 'they are'] : ['run', 'it is']
  return `${runs} ${ids.join(', ')} (${variants}) ${why}; ${are} marked 'doubtful', and trained again`
}

/** The same study where runs of such keys have others, and what starts from them a key that says so. */
function renamed(open: OpenStudy, taken: ReadonlyMap<string, PlannedRun>): OpenStudy {
  if (taken.size === 0) return open
  const settled = new Map<string, PlannedRun>()
  for (const run of open.all) settled.set(run.key, taken.get(run.key) ?? startingFrom(run, settled))
  const change = (run: PlannedRun): PlannedRun => {
    const { key, spec, from, teacher } = settled.get(run.key) ?? run
    return { ...run, key, spec, from, ...(teacher && { teacher }) }
  }
  const inside = (study: OpenStudy): OpenStudy => ({
    ...study,
    all: study.all.map(change),
    planned: study.planned.map(change),
    design: {
      ...study.design,
      runs: study.design.runs.map((run) => ({ ...run, key: settled.get(run.key)?.key ?? run.key })),
    },
    before: study.before.map(inside),
  })
  return inside(open)
}

function startingFrom(run: PlannedRun, settled: ReadonlyMap<string, PlannedRun>): PlannedRun {
  const now = <Name extends { key: string }>(name: Name): Name => ({
    ...name,
    key: settled.get(name.key)?.key ?? name.key,
  })
  const { from, teacher } = run
  const names = { ...(from && { from: now(from) }), ...(teacher && { teacher: now(teacher) }) }
  if (names.from?.key === from?.key && names.teacher?.key === teacher?.key) return run
  const spec = { ...run.spec, ...names }
  return { ...run, ...names, spec, key: keyOfRun(spec as unknown as KeyedSpec) }
}
