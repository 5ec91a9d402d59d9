import { provenanceOf } from '../notebook/provenance.ts'
import type { Study } from './compare.ts'

/** Where in a notebook a run was asked for. Nothing of it enters the run key. */
export interface RunOrigin {
  /** A file of the workspace, or a path; null where the notebook has no name. */
  notebook: string | null
  /** The id of the cell that defines the study. */
  cell: string
  /** What that cell calls the study; null for the value that ends the cell. */
  name: string | null
  /** The cell of the study and all cells it depends on, in percent format. */
  source: string
  /** Whether the study ran in its quick mode. */
  quick: boolean
}

/** The origin of the runs of a study; null where no cell defines it. */
export function originOf(study: Study, quick: boolean): Omit<RunOrigin, 'notebook'> | null {
  const provenance = provenanceOf(study)
  if (!provenance) return null
  const { cell, name, code } = provenance
  return { cell, name, source: code, quick }
}
