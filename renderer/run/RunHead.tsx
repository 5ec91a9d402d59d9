import type { StoredRunDetails } from '../../engine/records/run.ts'
import { openExport } from '../export/state.ts'
import { Icon } from '../ui/Icon.tsx'
import { recreateRun } from './recreateRun.ts'

/** Which run it is, how it stands, and what can be done with it. */
export function RunHead({ run }: { run: StoredRunDetails }) {
  const { id, study, variant, seed, status, error, hasWeights } = run
  return (
    <header className="run-head">
      <h1 className="page-title">
        {study} / {variant}, seed {seed}
      </h1>
      <span className="run-status" data-status={status}>
        {status}
      </span>
      <span className="spacer" />
      <button type="button" className="button" data-testid="recreate" onClick={() => void recreateRun(run)}>
        <Icon name="notebook" /> Recreate as a notebook
      </button>
      {hasWeights && (
        <button type="button" className="button" data-testid="export" onClick={() => openExport([id])}>
          <Icon name="export" /> Export
        </button>
      )}
      {error && <p className="bad">{error}</p>}
    </header>
  )
}
