import { type Trace, tensorsBeforeHead } from '../cost/trace.ts'
import { MixlabError } from '../errors.ts'
import type { Task } from '../tasks/types.ts'
import type { ResolvedStudy } from './resolve.ts'

interface Models {
  resolved: ResolvedStudy
  task: Task
}

/**
 * Throws MixlabError `option` where the stem or the blocks of a variant differ from those of the variant that it starts
 * from, with the name of the first tensor that does. Heads may differ.
 */
export async function checkFit(own: Models, before: Models): Promise<void> {
  const parent = `'${before.resolved.name}'`
  for (const { name } of own.resolved.variants) {
    const [here, there] = [await tensorsOf(own, name), await tensorsOf(before, name)]
    if (!here || !there) continue
    const wrong = (what: string) =>
      new MixlabError('option', `${own.resolved.name}.from`, `variant '${name}': ${what}; only heads may differ`)
    for (const [tensor, shape] of here) {
      const other = there.get(tensor)
      if (!other) throw wrong(`${parent} has no '${tensor}'`)
      if (other !== shape) throw wrong(`'${tensor}' is [${shape}], in ${parent} [${other}]`)
    }
    for (const tensor of there.keys()) if (!here.has(tensor)) throw wrong(`has no '${tensor}', which ${parent} has`)
  }
}

/** Shapes of stem and blocks by name; null where the code does not run on shapes alone, which training may tell of. */
async function tensorsOf({ resolved, task }: Models, name: string): Promise<Map<string, string> | null> {
  const { block, size } = resolved.variants.find(
    (variant) => variant.name === name,
  ) as ResolvedStudy['variants'][number]
  const tensors: Trace['tensors'] | null = await tensorsBeforeHead(task.model(block, size), task.input).catch(
    () => null,
  )
  return tensors && new Map(tensors.map(({ name, shape }) => [name, shape.join(', ')]))
}
