import type { StoredRunDetails } from '../../engine/records/run.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { cellFilter } from '../runs/cellFilter.ts'
import { compareHash, runHash, runsHash } from '../ui/route.ts'
import { type Relatives, relativesOf } from './relatives.ts'

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
