import { compareHash, runHash } from '../ui/route.ts'
import { type RunsRow, rowRuns } from './rows.ts'

/** Goes to the page of a run, or to the runs of a group side by side. */
export function openRow(row: RunsRow): void {
  location.hash = hashOf(row)
}

/** The address of that page. */
export function hashOf(row: RunsRow): string {
  const [run = 0, ...more] = rowRuns(row)
  return row.kind === 'run' || more.length === 0 ? runHash(run) : compareHash(rowRuns(row))
}
