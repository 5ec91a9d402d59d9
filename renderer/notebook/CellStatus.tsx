import { duration } from '../../engine/study/duration.ts'
import { failedText } from '../../engine/study/failures.ts'
import { useNotebook } from '../session/state.ts'
import { type Staleness, type Status, statusText } from '../session/status.ts'
import { useStaleness } from '../session/useCellStatus.ts'

const STALE: Record<Staleness, string> = {
  code: 'The code of this cell, or of a cell it depends on, has changed since this output was made.',
  rerun: 'A cell that this one depends on was run again since this output was made.',
}

/** The status of a cell, as a word and a colour, how many runs of its studies failed, and how long it took. */
export function CellStatus({ id, status }: { id: string; status: Status }) {
  const staleness = useStaleness(id)
  const ms = useNotebook((state) => state.states[id]?.output?.ms ?? null)
  const failed = useNotebook((state) => failedText(state.states[id]?.output?.studies.flatMap(({ runs }) => runs) ?? []))
  const ended = status !== 'queued' && status !== 'running'
  return (
    <span
      className="cell-status"
      data-status={status}
      data-failed={failed !== null}
      title={staleness ? STALE[staleness] : undefined}
    >
      <span data-testid="status" data-status={status}>
        {statusText(status, failed)}
      </span>
      {ended && ms !== null && <span className="cell-time">{spent(ms)}</span>}
    </span>
  )
}

function spent(ms: number): string {
  return ms < 100 ? `${Math.round(ms)} ms` : duration(ms / 1000)
}
