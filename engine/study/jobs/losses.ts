/** A run that loses its process so often without a checkpoint in between is given up. */
export const MAX_PROCESS_LOSSES = 3

/** Why a run was given up whose process ended too often. */
export function lostTooOften(why: string): string {
  return `lost its process ${MAX_PROCESS_LOSSES} times without a checkpoint in between: ${why}; probably out of memory, of which fewer runs at a time (--jobs) or a smaller batch need less`
}
