import type { StartedCell } from '../../engine/host.ts'
import { runCells } from '../session/run.ts'
import { leaveStarted, usePendingDecisions } from '../session/started/pendingDecisions.ts'
import { useNotebook } from '../session/state.ts'
import { Button } from '../ui/Button.tsx'

/** Asks about cells that were in training when the notebook was left, and have changed since. */
export function StartedBanner() {
  const asked = usePendingDecisions((state) => state.cells)
  const name = useNotebook((state) => state.name)
  const cells = asked.filter(({ notebook }) => notebook === name)
  if (cells.length === 0) return null
  return (
    <section className="conflicts" role="alert" aria-label="changed since it was in training" data-testid="started">
      <p>What was in training has changed since, or a cell that it depends on has. It did not go on by itself.</p>
      <ul>
        {cells.map((started) => (
          <StartedLine key={started.cell} started={started} />
        ))}
      </ul>
    </section>
  )
}

function StartedLine({ started }: { started: StartedCell }) {
  const { cell, source } = started
  const now = useNotebook((state) => state.cells.find(({ id }) => id === cell)?.source)
  const train = () => {
    leaveStarted(started)
    runCells([cell])
  }
  return (
    <li>
      <div className="conflict-line">
        <span>{cell}</span>
        <span className="muted">{now === undefined ? 'is not in the notebook any more' : ''}</span>
        {now !== undefined && (
          <Button look="small" onClick={train} testId="started-train">
            Train it as it is now
          </Button>
        )}
        <Button look="small" onClick={() => leaveStarted(started)} testId="started-leave">
          Leave it
        </Button>
      </div>
      {now !== source && (
        <details>
          <summary>As it was</summary>
          <pre>{source}</pre>
        </details>
      )}
    </li>
  )
}
