import type { BackendName } from '../../engine/backends/types.ts'
import type { BackendOption } from '../protocol/kernel.ts'
import { chooseBackend } from '../session/kernel/control.ts'
import { useKernel } from '../session/kernel/state.ts'

/** Which backend trains, and on what device. */
export function BackendSelect() {
  const { wanted, report, phase } = useKernel()
  const automatic = wanted === null ? report?.chosen.name : undefined
  return (
    <label className="backend">
      <span className="muted">backend</span>
      <select
        value={wanted ?? ''}
        data-testid="backend"
        disabled={phase === 'starting'}
        onChange={(event) => void chooseBackend((event.target.value || null) as BackendName | null)}
      >
        <option value="">{automatic ? `automatic (${automatic})` : 'automatic'}</option>
        {(report?.options ?? []).map((option) => (
          <option key={option.name} value={option.name}>
            {describe(option)}
          </option>
        ))}
      </select>
    </label>
  )
}

function describe({ name, device, software }: BackendOption): string {
  return software ? `${name} – ${device} (software)` : `${name} – ${device}`
}
