import { modelTensors } from '../../cost/trace.ts'
import { MixlabError } from '../../errors.ts'
import type { Block, Size } from '../../nn/types.ts'
import type { Task } from '../../tasks/types.ts'

/** A model to give weights to. */
export interface Fitted {
  block: Block
  size: Size
  opened: Task
}

/**
 * Throws MixlabError `option` where the stem or the blocks of a variant of `study` differ from those of the variant of
 * `before` that it starts from, with the name of the first tensor that does. Heads may differ.
 */
export async function checkFit(
  study: string,
  own: Fitted & { name: string },
  before: string,
  parent: Fitted,
): Promise<void> {
  const [here, there] = [await tensorsOf(own), await tensorsOf(parent)]
  if (!here || !there) return
  const wrong = (what: string) =>
    new MixlabError('option', `${study}.from`, `variant '${own.name}': ${what}; only heads may differ`)
  for (const [tensor, shape] of here) {
    const other = there.get(tensor)
    if (!other) throw wrong(`'${before}' has no '${tensor}'`)
    if (other !== shape) throw wrong(`'${tensor}' is [${shape}], in '${before}' [${other}]`)
  }
  for (const tensor of there.keys()) if (!here.has(tensor)) throw wrong(`has no '${tensor}', which '${before}' has`)
}

/** Shapes of stem and blocks by name; null where the code does not run on shapes alone; training then reports what is wrong. */
async function tensorsOf({ block, size, opened }: Fitted): Promise<Map<string, string> | null> {
  const tensors = await modelTensors(opened.model(block, size), opened.input).catch(() => null)
  return tensors && new Map(tensors.flatMap(({ name, shape, inHead }) => (inHead ? [] : [[name, shape.join(', ')]])))
}
