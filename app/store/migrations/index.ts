import { first } from './001-first.ts'
import { checkpoints } from './002-checkpoints.ts'
import { reports } from './003-reports.ts'

/** The SQL that leads from each version of the store to the next; the first one leads from nothing to version 1. */
export const migrations: readonly string[] = [first, checkpoints, reports]
