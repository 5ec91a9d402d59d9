import { MixlabError } from '../errors.ts'
import { isBlock } from '../nn/block.ts'
import type { Block } from '../nn/types.ts'
import { createScope } from '../notebook/evaluate.ts'
import type { Modules } from '../notebook/modules.ts'
import { resolveStudy } from '../study/design/resolve.ts'
import type { RecordedSpec } from '../study/recreate/recorded.ts'
import { valuesOf } from '../study/recreate/replan.ts'
import { studiesIn } from '../study/studies.ts'

/** A block of cells, and what disposes the tensors that the cells left. */
export interface FoundBlock {
  block: Block
  forget(): void
}

/**
 * The block of a spec in the source of its cells, which are evaluated in a scope of their own, silently; they may import
 * `modules`. It is among what they define, or among the variants of a study there. Throws what the cells throw, and
 * MixlabError `weights` where they define no such block.
 */
export async function blockIn(
  cells: string,
  { block: name, captured = {} }: RecordedSpec['model'],
  modules: Modules,
  source: string,
): Promise<FoundBlock> {
  const scope = createScope(modules)
  try {
    const values = await valuesOf(cells, scope)
    const variants = studiesIn(values).flatMap((study) => resolveStudy(study).variants)
    const block = [...values.filter(isBlock), ...variants.map((variant) => variant.block)].findLast((each) => {
      return each.blockName === name && JSON.stringify(each.captured) === JSON.stringify(captured)
    })
    if (block) return { block: block.origin, forget: scope.forget }
    throw new MixlabError('weights', source, `its code defines no block '${name}'`)
  } catch (error) {
    scope.forget()
    throw error
  }
}
