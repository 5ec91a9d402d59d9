import type { CellConflict } from '../../engine/notebook/merge.ts'
import { keepMine, takeTheirs } from '../session/conflict.ts'
import { useNotebook } from '../session/state.ts'
import { Button } from '../ui/Button.tsx'

/** Asks which version is to stay of cells that were changed here and on disk. */
export function ConflictBanner() {
  const conflicts = useNotebook((state) => state.conflict?.cells)
  if (!conflicts) return null
  return (
    <section className="conflicts" role="alert" aria-label="changed here and on disk" data-testid="conflict">
      <p>The file was changed while the same cells were changed here. Nothing is saved until you have decided.</p>
      <ul>
        {conflicts.map((conflict) => (
          <ConflictLine key={conflict.id} conflict={conflict} />
        ))}
      </ul>
    </section>
  )
}

function ConflictLine({ conflict: { id, mine, theirs } }: { conflict: CellConflict }) {
  return (
    <li data-conflict={id}>
      <div className="conflict-line">
        <Button look="small quiet" onClick={() => show(id)}>
          {id}
        </Button>
        <span className="muted">{mine ? (theirs ? '' : 'deleted on disk') : 'deleted here'}</span>
        <Button look="small" onClick={() => keepMine(id)}>
          Keep mine
        </Button>
        <Button look="small" onClick={() => takeTheirs(id)}>
          Take theirs
        </Button>
      </div>
      {theirs && (
        <details>
          <summary>On disk</summary>
          <pre>{theirs.source}</pre>
        </details>
      )}
    </li>
  )
}

function show(id: string): void {
  document.querySelector(`[data-cell="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'center' })
}
