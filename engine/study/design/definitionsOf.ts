import { ownOf } from '../../data/augment/index.ts'
import { ownDataIn } from '../../data/spec.ts'
import type { Definition, DefinitionCode } from '../../definitions.ts'
import type { Study } from '../compare.ts'
import type { OpenVariant } from '../opened.ts'
import { definitionCode } from './definitionCode.ts'
import { isTaskCorrected } from './taskGradients.ts'

type Defined = Pick<OpenVariant, 'name' | 'task' | 'recipe' | 'opened' | 'block' | 'size'>

/**
 * What a cell can define of a variant beside its block, by the names that specs have for it. A new one is one line here. Of
 * a list each is called by its number, e.g. `augmentation.1`, since their order decides.
 */
const KINDS: Record<
  string,
  { what: string; of: (variant: Defined) => Definition | readonly Definition[] | undefined }
> = {
  task: { what: 'task', of: ({ task }) => task.defined },
  data: { what: 'data set', of: dataOf },
  optimizer: { what: 'optimizer', of: ({ recipe }) => recipe.optimizer.defined },
  schedule: {
    what: 'schedule',
    of: ({ recipe }) => (typeof recipe.schedule === 'string' ? undefined : recipe.schedule),
  },
  augmentation: { what: 'augmentation', of: ({ recipe }) => ownOf(recipe) },
}

/** The data set of a cell, which its values decide, not its code. */
function dataOf({ task, opened }: Defined): Definition | undefined {
  const [own] = ownDataIn(task.options)
  return own && { name: own.name, decides: { values: opened.hash } }
}

/**
 * How the definitions of cells that a variant uses enter the keys of its runs; undefined where there are none. As `before`,
 * they say nothing of gradients that were corrected since.
 */
export async function definitionsOf(
  study: Study,
  variant: Defined,
  before = false,
): Promise<Record<string, DefinitionCode> | undefined> {
  const corrected = !before && (await isTaskCorrected(study, variant))
  const found: [string, DefinitionCode][] = []
  for (const [kind, { what, of }] of Object.entries(KINDS)) {
    const given = of(variant)
    const path = `${study.name}.variants.${variant.name}`
    const named = Array.isArray(given)
      ? given.map((each, i) => [`${kind}.${i + 1}`, each] as const)
      : [[kind, given] as const]
    for (const [name, definition] of named) {
      const says = kind === 'task' && corrected ? { gradients: 2 } : {}
      if (definition) found.push([name, await definitionCode(definition, { study, path, what, says })])
    }
  }
  return found.length > 0 ? Object.fromEntries(found) : undefined
}
