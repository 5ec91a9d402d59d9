/** What is going on in a cell. */
export type Phase = 'idle' | 'queued' | 'running' | 'done' | 'failed' | 'interrupted'

/** What a cell shows: its phase, or that its output belongs to another text of it or of what it depends on. */
export type Status = Phase | 'stale'

/** `shown` is the fingerprint of the output, `current` that of the cell now. */
export function statusOf(phase: Phase, shown: string | null, current: string | undefined): Status {
  const settled = phase === 'done' || phase === 'failed' || phase === 'interrupted'
  return settled && current !== undefined && shown !== current ? 'stale' : phase
}
