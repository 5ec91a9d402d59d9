import type { Host } from '../../engine/host.ts'
import type { StoredRun, StoredRunDetails } from '../../engine/records/run.ts'
import { quoted } from '../../engine/runs/filter.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { cellFilter } from '../runs/cellFilter.ts'
import { compareHash, runHash, runsHash } from '../ui/route.ts'

const NONE: Relatives = { siblings: [], baseline: null }

/** The ways from a run to others: its other seeds, the baseline, its study, and what else its cell made. */
export function Related({ run }: { run: StoredRunDetails }) {
  const { id, study, origin } = run
  const { siblings, baseline } = useAnswer(`${id}`, () => relativesOf(host(), run)).value ?? NONE
  return (
    <nav className="related" aria-label="related runs" data-testid="related">
      {siblings.length > 0 && (
        <span>
          <span className="muted">other seeds </span>
          <span className="seed-links">
            {siblings.map((sibling) => (
              <a key={sibling.id} href={runHash(sibling.id)} title={`run ${sibling.id}: ${sibling.status}`}>
                {sibling.seed}
              </a>
            ))}
          </span>
        </span>
      )}
      {baseline && <a href={compareHash([baseline.id, id])}>{`Compare with ${baseline.variant}, the baseline`}</a>}
      {siblings.length > 0 && <a href={compareHash([id, ...siblings.map((each) => each.id)])}>Compare the seeds</a>}
      <a href={compareHash([`study:${study}`])}>Compare the runs of the study</a>
      {origin?.notebook && <a href={runsHash(cellFilter(origin.notebook, origin.cell))}>Runs of the cell</a>}
    </nav>
  )
}

/** Runs that belong to one run. */
interface Relatives {
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
