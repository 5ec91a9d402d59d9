import { provenanceOf } from '../notebook/provenance.ts'
import type { RunOrigin } from '../records/origin.ts'
import type { Study } from './compare.ts'

/** The origin of the runs of a study; null where no cell defines it. */
export function originOf(study: Study, quick: boolean): Omit<RunOrigin, 'notebook'> | null {
  const provenance = provenanceOf(study)
  if (!provenance) return null
  const { cell, name, code } = provenance
  return { cell, name, source: code, quick }
}
