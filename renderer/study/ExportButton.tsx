import { openExport } from '../export/state.ts'
import type { RunView } from '../protocol/study.ts'
import { Icon } from '../ui/Icon.tsx'

/** Opens the panel in which the model of one run leaves; shown as its seed. Nothing before the run has weights. */
export function ExportButton({ run }: { run: RunView }) {
  const { id, variant, seed, hasWeights } = run
  if (!hasWeights || id === null) return null
  const label = `export ${variant}, seed ${seed}`
  return (
    <button
      type="button"
      className="button tiny"
      data-testid="export"
      aria-label={label}
      title={label}
      onClick={() => openExport([id])}
    >
      <Icon name="export" /> {seed}
    </button>
  )
}
