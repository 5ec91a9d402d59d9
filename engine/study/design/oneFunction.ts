import { MixlabError } from '../../errors.ts'
import type { Block } from '../../nn/types.ts'
import { provenanceOf } from '../../notebook/provenance.ts'
import type { Study } from '../compare.ts'

/** By evaluation of a cell: the functions that its texts have stood for. */
const known = new WeakMap<object, Map<string, Block['run']>>()

/**
 * Throws MixlabError `option` where a text has stood for another function in the same evaluation of its cell. For blocks
 * whose code cannot be recorded: nothing tells two functions of one text apart.
 */
export function checkOneFunction(study: Study, { origin, blockName }: Block, text: string, variant: string): void {
  const evaluation = (provenanceOf(origin) ?? provenanceOf(study))?.evaluation ?? study
  const functions = known.get(evaluation) ?? new Map<string, Block['run']>()
  known.set(evaluation, functions)
  const before = functions.get(text)
  functions.set(text, origin.run)
  if (!before || before === origin.run) return
  const how = `make what it captures an option: block('${blockName}', { k: 0 }, (x, { k }) => …) and ${blockName}({ k: 3 })`
  throw new MixlabError(
    'option',
    `${study.name}.variants.${variant}`,
    `two functions of block '${blockName}' have one text, and cannot be recorded to tell them apart; ${how}`,
  )
}
