import { parseNotebook } from '../../engine/notebook/parse.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { blockCode } from '../compare/blockCode.ts'
import { StaticCode } from '../notebook/StaticCode.tsx'

/** The cells that a run was made of, that of the study last; without them, the code of its block. */
export function SourceCells({ run: { origin, code } }: { run: StoredRunDetails }) {
  const cells = origin ? parseNotebook(origin.source) : [{ id: 'block', source: blockCode(code) }]
  return (
    <section aria-labelledby="run-source" data-testid="run-source">
      <h2 id="run-source">{origin ? 'Cells' : 'Block'}</h2>
      {cells.map(({ id, source }) => (
        <details key={id} className="source-cell" open={cells.length < 4 || id === origin?.cell}>
          <summary>
            {id}
            {id === origin?.cell && <span className="muted"> defines the study</span>}
          </summary>
          <StaticCode value={source} language="typescript" />
        </details>
      ))}
    </section>
  )
}
