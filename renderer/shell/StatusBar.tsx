import { useKernel } from '../kernel/state.ts'
import { type NotebookState, useNotebook } from '../notebook/state.ts'
import { bytes } from './bytes.ts'

const KERNEL = {
  off: 'kernel off',
  starting: 'kernel starting',
  ready: 'kernel ready',
  busy: 'kernel busy',
  interrupting: 'interrupting at the next step',
  failed: 'kernel failed',
}

const SAVED: Record<NotebookState['saving'], string> = {
  saved: 'saved',
  changed: 'not saved yet',
  saving: 'saving',
  failed: 'not saved',
}

/** What the page is doing, in one line. */
export function StatusBar() {
  const { phase, report, memory, error } = useKernel()
  const { name, saving, saveError } = useNotebook()
  return (
    <footer className="statusbar" role="status" aria-label="status">
      <span data-testid="kernel" data-phase={phase}>
        <span className="dot" data-phase={phase} />
        {KERNEL[phase]}
      </span>
      {error && (
        <span className="bad" title={error}>
          {error}
        </span>
      )}
      {report && !error && (
        <span data-testid="device" title={report.chosen.device}>
          {report.chosen.name}, {report.chosen.device}
        </span>
      )}
      {memory.tensors > 0 && (
        <span data-testid="memory">
          {memory.tensors.toLocaleString('en')} tensors, {bytes(memory.bytes)}
        </span>
      )}
      <span className="spacer" />
      {name && (
        <span data-testid="saving" data-saving={saving} className={saving === 'failed' ? 'bad' : ''}>
          {saveError && saving === 'failed' ? `${SAVED[saving]}: ${saveError}` : SAVED[saving]}
        </span>
      )}
    </footer>
  )
}
