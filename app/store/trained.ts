/**
 * Milliseconds of training of a row of `run`, in SQL: from its start to its end, or to what it last recorded. Where a run
 * goes on, its start moves by the break (`beginRun`), so that only the attempts' own time counts.
 */
export const TRAINED_MS = 'max(0, coalesce(run.ended_at, run.recorded_at) - run.started_at)'
