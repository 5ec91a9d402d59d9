import { exportWeights } from '../host/exportWeights.ts'
import type { RunView } from '../protocol/study.ts'
import { Icon } from '../ui/Icon.tsx'

/** Takes the trained weights of one run away; shown as its seed. Nothing before the run has weights. */
export function ExportButton({ study, run }: { study: string; run: RunView }) {
  const { id, variant, seed, hasWeights } = run
  if (!hasWeights || id === null) return null
  const label = `export weights of ${variant}, seed ${seed}`
  return (
    <button
      type="button"
      className="button tiny"
      data-testid="export"
      aria-label={label}
      title={label}
      onClick={() => void exportWeights({ id, study, variant, seed })}
    >
      <Icon name="export" /> {seed}
    </button>
  )
}
