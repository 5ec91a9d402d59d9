import { Icon } from '../shell/Icon.tsx'
import { interrupt, runCells } from './run.ts'
import type { Status } from './status.ts'

/** Runs a cell, or interrupts it while it runs. */
export function RunButton({ id, status }: { id: string; status: Status }) {
  const running = status === 'running'
  return (
    <button
      type="button"
      className="run-button"
      data-testid={running ? 'interrupt' : 'run'}
      aria-label={running ? `interrupt ${id}` : `run ${id}`}
      title={running ? 'Interrupt' : 'Run (Shift+Enter)'}
      disabled={status === 'queued'}
      onClick={() => (running ? interrupt() : runCells([id]))}
    >
      <Icon name={running ? 'stop' : 'run'} />
    </button>
  )
}
