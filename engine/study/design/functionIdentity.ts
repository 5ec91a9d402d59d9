import { MixlabError } from '../../errors.ts'
import { provenanceOf } from '../../notebook/provenance.ts'
import type { Study } from '../compare.ts'

/** A function of a cell that is identified by the text of the cell alone, in a study that uses it. */
interface UnidentifiedFunction {
  study: Study
  /** What the cell defined, or something in it. */
  defined: object
  /** What keys say of it. */
  text: string
  made: object
}

/** By evaluation of a cell: the functions that its texts have stood for. */
const known = new WeakMap<object, Map<string, object>>()

/**
 * Throws MixlabError `option` with a path and the reason where the same text has meant another function in the same
 * evaluation of its cell: their keys would be equal, and their runs would be shared.
 */
export function checkFunctionIdentity(
  { study, defined, text, made }: UnidentifiedFunction,
  path: string,
  why: string,
): void {
  const evaluation = (provenanceOf(defined) ?? provenanceOf(study))?.evaluation ?? study
  const functions = known.get(evaluation) ?? new Map<string, object>()
  known.set(evaluation, functions)
  const before = functions.get(text)
  functions.set(text, made)
  if (before && before !== made) throw new MixlabError('option', path, why)
}
