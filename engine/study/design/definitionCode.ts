import type { Definition, DefinitionCode } from '../../definitions.ts'
import { sourceOf } from '../../notebook/closures/closures.ts'
import { identityOf, type Naming } from '../../notebook/closures/identity.ts'
import { provenanceOf } from '../../notebook/provenance.ts'
import type { Study } from '../compare.ts'
import { keyOfSpec } from '../key.ts'
import { checkFunctionIdentity } from './functionIdentity.ts'

/** Where a definition stands in a study. */
interface Place {
  study: Study
  /** Of the option that it is given as, e.g. `rates.metrics`. */
  path: string
  /** What it is, e.g. `metric`. */
  what: string
  /** What else decides a result, as plain data. */
  says?: object
  /** What imported functions are called in it; their own names by default. */
  naming?: Naming | undefined
}

/**
 * How a definition of a cell enters the key of runs: by what its functions say and have captured, so that neither comments
 * nor names decide; or else by the fingerprint of the cell that defined it, or of the study's cell. Throws MixlabError
 * `option` where two definitions of one text cannot be told apart.
 */
export async function definitionCode(
  definition: Definition,
  { study, path, what, says, naming }: Place,
): Promise<DefinitionCode> {
  const { name, decides } = definition
  const code = (provenanceOf(definition.origin ?? definition) ?? provenanceOf(study))?.fingerprint ?? textOf(decides)
  const identity = await identityOf(decides, naming)
  if (identity) return { digest: keyOfSpec({ identity, ...says }), code }
  const how = 'make what they capture plain data, or give one of them another name'
  checkFunctionIdentity(
    { study, defined: definition, text: JSON.stringify([code, name]), made: decides },
    path,
    `two ${what}s '${name}' of one cell cannot be told apart; ${how}`,
  )
  return code
}

/** The text of the first function in a value. */
function textOf(value: unknown): string {
  if (typeof value === 'function') return sourceOf(value)
  if (typeof value !== 'object' || value === null) return ''
  return (
    Object.values(value)
      .map(textOf)
      .find((text) => text !== '') ?? ''
  )
}
