import type { Host } from '../../engine/host.ts'
import type { StoredRun } from '../../engine/records/run.ts'
import { quoted } from '../../engine/runs/filter.ts'

/** Runs that belong to one run. */
export interface Relatives {
  /** Those of the same study, variant, configuration and code, by seed. */
  siblings: StoredRun[]
  /** The newest finished run of the study's pinned baseline with the same seed; null where it has none, or is it. */
  baseline: StoredRun | null
}

const MOST = 1000

/** The runs that belong to a run, archived ones too. Rejects with MixlabError `store`. */
export async function relativesOf(
  host: Pick<Host, 'groupRuns' | 'listRuns' | 'baselines'>,
  { id, study, variant, seed }: Pick<StoredRun, 'id' | 'study' | 'variant' | 'seed'>,
): Promise<Relatives> {
  const filter = `study:${quoted(study)} variant:${quoted(variant)} archived:yes,no`
  const [{ rows }, own, pinned] = await Promise.all([
    host.groupRuns({ filter, sort: [], columns: [], offset: 0, limit: MOST }),
    host.listRuns({ study, variant }),
    host.baselines(),
  ])
  const group = rows.find(({ runs }) => runs.includes(id))?.runs ?? []
  const against = Object.hasOwn(pinned, study) ? pinned[study] : undefined
  const compared = against === undefined || against === variant ? [] : await host.listRuns({ study, variant: against })
  return {
    siblings: own.filter((run) => run.id !== id && group.includes(run.id)).sort((a, b) => a.seed - b.seed),
    baseline: compared.find((run) => run.seed === seed && run.status === 'done') ?? null,
  }
}
