import type { StudyDesign } from '../../records/design.ts'
import { saysDiverged } from '../../records/diverged.ts'
import type { ComparedRun } from './types.ts'

/**
 * Whether a run that diverged is an outcome, which loses to one that did not, rather than a run that is missing: where the
 * design asks something or has a margin. Others keep the verdicts that they had before.
 */
export function countsDiverged(design: Pick<StudyDesign, 'questions' | 'margin'> | undefined): boolean {
  return design?.questions !== undefined || design?.margin !== undefined
}

/** Whether a run failed because its loss became a value that is not finite. */
export function hasDiverged({ status, error }: { status: string; error?: string | null | undefined }): boolean {
  return status === 'failed' && saysDiverged(error ?? '')
}

/** Runs that are done and, of those that failed, the ones that diverged, without what was put away; done ones come last. */
export function outcomes<Run extends { status: string; error?: string | null | undefined; archived: boolean }>(
  done: readonly Run[],
  failed: readonly Run[],
): Run[] {
  return [...failed.filter((run) => hasDiverged(run) && !run.archived), ...done]
}

/** The runs of a variant that ended in a model or diverged, by seed; of several the newest. */
export function newestEnded(runs: readonly ComparedRun[], variant: string): Map<number, ComparedRun> {
  const newest = new Map<number, ComparedRun>()
  for (const run of runs) {
    if (run.variant !== variant || !(run.status === 'done' || hasDiverged(run))) continue
    if (run.id >= (newest.get(run.seed)?.id ?? run.id)) newest.set(run.seed, run)
  }
  return newest
}
