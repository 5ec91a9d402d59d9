/** What is going on in a cell. */
export type Phase = 'idle' | 'queued' | 'running' | 'done' | 'failed' | 'interrupted'

/** What a cell shows: its phase, or that its output is not what the cell would show if it ran now. */
export type Status = Phase | 'stale'

const WORDS: Record<Status, string> = {
  idle: '',
  queued: 'queued',
  running: 'running',
  done: 'done',
  failed: 'failed',
  interrupted: 'interrupted',
  stale: 'stale',
}

/** A status in words; `failed` says how many runs of the cell's studies failed, and is null for none. */
export function statusText(status: Status, failed: string | null): string {
  if (failed === null || status === 'idle' || status === 'queued' || status === 'stale') return WORDS[status]
  return status === 'failed' ? failed : `${WORDS[status]}, ${failed}`
}

/** Why an output is stale: it belongs to another text, or a cell it depends on was run again since. */
export type Staleness = 'code' | 'rerun'

/** `shown` is the fingerprint of the output, `current` that of the cell now. Null where the output is not stale. */
export function stalenessOf(
  phase: Phase,
  shown: string | null,
  current: string | undefined,
  outdated: boolean,
): Staleness | null {
  const settled = phase === 'done' || phase === 'failed' || phase === 'interrupted'
  if (!settled || current === undefined) return null
  if (shown !== current) return 'code'
  return outdated ? 'rerun' : null
}
