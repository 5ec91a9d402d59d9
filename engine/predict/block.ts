import { MixlabError } from '../errors.ts'
import { isBlock } from '../nn/block.ts'
import type { Block } from '../nn/types.ts'
import { createScope } from '../notebook/evaluate.ts'
import type { Modules } from '../notebook/modules.ts'
import { resolveStudy } from '../study/design/resolve.ts'
import { valuesOf } from '../study/recreate/rebuild.ts'
import type { RecordedSpec } from '../study/recreate/recorded.ts'
import { studiesIn } from '../study/studies.ts'

/** A block of cells, and what disposes the tensors that the cells left. */
export interface FoundBlock {
  block: Block
  forget(): void
}

/**
 * The block of a spec in the source of its cells, which are evaluated in a scope of their own, silently; they may import
 * `modules`. It is among what they define, or among the variants of a study there. Of several with its name it is the one
 * that `does` what the spec says. Throws what the cells throw, and MixlabError `weights` where they define no such block,
 * or where nothing says which.
 */
export async function blockIn(
  cells: string,
  { block: name, captured = {}, digest }: RecordedSpec['model'],
  modules: Modules,
  source: string,
  does: (block: Block) => Promise<string | null>,
): Promise<FoundBlock> {
  const scope = createScope(modules)
  const refused = (why: string) => new MixlabError('weights', source, why)
  try {
    const values = await valuesOf(cells, scope)
    const variants = studiesIn(values).flatMap((study) => resolveStudy(study).variants)
    const all = [...values.filter(isBlock), ...variants.map((variant) => variant.block)].filter((each) => {
      return each.blockName === name && JSON.stringify(each.captured) === JSON.stringify(captured)
    })
    const [first, ...others] = new Set(all.map(({ origin }) => origin))
    if (!first) throw refused(`its code defines no block '${name}'`)
    if (others.length === 0) return { block: first, forget: scope.forget }
    for (const block of [first, ...others]) {
      if (digest !== undefined && (await does(block)) === digest) return { block, forget: scope.forget }
    }
    throw refused(`its code defines ${others.length + 1} blocks '${name}', and nothing says which of them it is`)
  } catch (error) {
    scope.forget()
    throw error
  }
}
