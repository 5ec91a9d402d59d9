import { runCells } from '../session/run.ts'
import type { Status } from '../session/status.ts'
import { Icon } from '../ui/Icon.tsx'

/** Runs a cell, or stops it while it runs. */
export function RunButton({ id, status, stop }: { id: string; status: Status; stop(): void }) {
  const running = status === 'running'
  return (
    <button
      type="button"
      className="run-button"
      data-testid={running ? 'interrupt' : 'run'}
      aria-label={running ? `interrupt ${id}` : `run ${id}`}
      title={running ? 'Interrupt' : 'Run (Shift+Enter)'}
      disabled={status === 'queued'}
      onClick={() => (running ? stop() : runCells([id]))}
    >
      <Icon name={running ? 'stop' : 'run'} />
    </button>
  )
}
