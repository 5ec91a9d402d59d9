import { messageOf } from '../../errors.ts'
import { locate } from '../../notebook/location.ts'
import { provenanceOf } from '../../notebook/provenance.ts'
import type { ReadoutResult } from '../../readouts/reader.ts'
import type { Readout } from '../../readouts/readout.ts'
import type { Study } from '../compare.ts'

/** Why a read-out gave no number, in a sentence with the line of its cell. */
export function explained(readout: Readout, study: Study, problem: NonNullable<ReadoutResult['problem']>): string {
  if (typeof problem === 'string') return `readout '${readout.name}' ${problem}`
  const { thrown } = problem
  const cell = (provenanceOf(readout) ?? provenanceOf(study))?.cell
  const why = messageOf(cell ? locate(thrown, cell) : thrown)
  return `readout '${readout.name}' failed, and is not a number: ${why}`
}
