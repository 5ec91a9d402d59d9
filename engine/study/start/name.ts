import type { PlannedRun } from '../../records/run.ts'

/** What a run starts from, in words. */
export function startName({ from }: Pick<PlannedRun, 'from'>): string {
  return from && 'path' in from ? from.path : (from?.study ?? '')
}
