import type { MixlabError } from '../errors.ts'
import type { Arm, StudyDesign } from '../records/design.ts'
import type { RunOrigin } from '../records/origin.ts'
import type { PlannedRun } from '../records/run.ts'
import type { Task } from '../tasks/types.ts'
import type { Study } from './compare.ts'
import type { ResolvedVariant } from './design/resolve.ts'
import type { StudyReadout } from './readouts/study.ts'
import type { FittedFile } from './start/file.ts'
import type { Parts } from './start/parts.ts'

/** A variant of a study with its data open. */
export interface OpenVariant extends ResolvedVariant {
  /** One for all variants with the same task. */
  opened: Task
  /** The study that its runs start from. */
  before?: OpenStudy | undefined
  /** What its runs take of those, where not all is taken, and as it is. */
  taken?: Parts | undefined
  /** The study of one variant whose models give labels to its runs. */
  teacher?: OpenStudy | undefined
  /** Why nothing is trained by it: its code gives other numbers each time. */
  refused?: MixlabError | undefined
  /** What it is in the ledger of comparisons; left out in quick mode. */
  arm?: Arm | undefined
  /** The file that its runs start from. */
  file?: FittedFile | undefined
}

/** A study with its data open and its runs planned. */
export interface OpenStudy {
  study: Study
  name: string
  variants: OpenVariant[]
  /** The metric by which the variants are compared. */
  metric: string
  /** The runs that are wanted, seed by seed, so that all variants advance together. */
  planned: PlannedRun[]
  /** These and the others of the design, each after those it starts from, whatever study they are of. */
  all: PlannedRun[]
  /** What is read off its runs when they are done. */
  readouts: StudyReadout[]
  /** The whole study, whatever of it is wanted. */
  design: StudyDesign
  /** Where its runs come from; null where no cell defines it. */
  origin: Omit<RunOrigin, 'notebook'> | null
  /** The studies that its runs start from. */
  before: OpenStudy[]
}
