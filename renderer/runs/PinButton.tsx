import type { RunGroup } from '../../engine/runs/types.ts'
import { host } from '../host/state.ts'
import { act } from './act.ts'

/** Makes a variant the one that the others of its study are compared with, or no longer. */
export function PinButton({ group, refresh }: { group: RunGroup; refresh(): void }) {
  const { study, variant, baseline } = group
  const label = `${baseline ? 'Unpin' : 'Pin'} ${variant} as baseline of ${study}`
  return (
    <button
      type="button"
      className="icon-button pin"
      aria-pressed={baseline}
      aria-label={label}
      title={label}
      data-testid="pin"
      onClick={() => void act(() => host().pinBaseline(study, baseline ? null : variant), refresh)}
    >
      <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M6 2.5h4l-.6 4.2 2.1 2.1v1h-7v-1l2.1-2.1zM8 9.8v4" />
      </svg>
    </button>
  )
}
