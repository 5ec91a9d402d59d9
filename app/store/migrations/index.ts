import { first } from './001-first.ts'
import { checkpoints } from './002-checkpoints.ts'
import { reports } from './003-reports.ts'
import { pyramid } from './004-pyramid.ts'
import { runs } from './005-runs.ts'
import { provenance } from './006-provenance.ts'
import { weights } from './007-weights.ts'
import { macs } from './008-macs.ts'
import { meanings } from './009-meanings.ts'
import { designs } from './010-designs.ts'
import { owners } from './011-owners.ts'
import { exports } from './012-exports.ts'
import { finished } from './013-finished.ts'
import { origins } from './014-origins.ts'
import { readouts } from './015-readouts.ts'
import { plans } from './016-plans.ts'
import { outcomes } from './017-outcomes.ts'
import { walls } from './018-walls.ts'
import { attempts } from './019-attempts.ts'
import { strides } from './020-strides.ts'
import { webgl } from './021-webgl.ts'
import { ledger } from './022-ledger.ts'
import { floors } from './023-floors.ts'

/** What leads from each version of the store to the next; the first one leads from nothing to version 1. */
export const migrations: readonly string[] = [
  first,
  checkpoints,
  reports,
  pyramid,
  runs,
  provenance,
  weights,
  macs,
  meanings,
  designs,
  owners,
  exports,
  finished,
  origins,
  readouts,
  plans,
  outcomes,
  walls,
  attempts,
  strides,
  webgl,
  ledger,
  floors,
]
