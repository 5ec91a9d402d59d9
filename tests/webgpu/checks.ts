import { equations } from './equations.ts'
import { functions } from './functions.ts'
import { goldenCases } from './golden.ts'
import { gradients } from './gradients.ts'
import { galleryIdeas } from './ideas.ts'
import { lanes } from './lanes.ts'
import { masksOfDropout } from './masks.ts'
import { operations } from './operations.ts'
import { optimizers } from './optimizers.ts'
import { pages } from './pages.ts'
import { parts } from './parts.ts'
import { primitives } from './primitives.ts'
import { random } from './random.ts'
import { resuming } from './resuming.ts'
import { programsOfTable } from './table.ts'
import { training } from './training.ts'

/** A check gives lines to print; one that begins with FAILED says what does not hold. */
export type Check = () => Promise<string[]>

/** By name. The first are quick, and part of `npm test` where there is a software adapter. */
export const checks: Record<string, Check> = {
  operations,
  functions,
  masks: masksOfDropout,
  optimizers,
  equations,
  primitives,
  random,
  training,
  lanes,
  pages,
  parts,
  resuming,
  ideas: galleryIdeas,
  gradients,
  table: programsOfTable,
  golden: goldenCases,
}
