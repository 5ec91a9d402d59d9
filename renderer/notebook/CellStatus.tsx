import type { Status } from './status.ts'

const WORDS: Record<Status, string> = {
  idle: '',
  queued: 'queued',
  running: 'running',
  done: 'done',
  failed: 'failed',
  interrupted: 'interrupted',
  stale: 'stale',
}

const EXPLAINED: Partial<Record<Status, string>> = {
  stale: 'The code of this cell, or of a cell it depends on, has changed since this output was made.',
}

/** The status of a cell, as a word and a colour. */
export function CellStatus({ status }: { status: Status }) {
  return (
    <span className="cell-status" data-testid="status" data-status={status} title={EXPLAINED[status]}>
      {WORDS[status]}
    </span>
  )
}
