import type { FileSource } from '../../data/files.ts'
import { MixlabError } from '../../errors.ts'
import type { Block, Size } from '../../nn/types.ts'
import { createScope, type NotebookScope } from '../../notebook/evaluate.ts'
import { analyze } from '../../notebook/graph.ts'
import type { Modules } from '../../notebook/modules.ts'
import { parseNotebook } from '../../notebook/parse.ts'
import type { StoredRunDetails } from '../../records/run.ts'
import type { Task } from '../../tasks/types.ts'
import type { Study } from '../compare.ts'
import { only } from '../only.ts'
import { openStudy } from '../open.ts'
import { studiesIn } from '../studies.ts'
import { recreateNotebook } from './recreate.ts'

/** What a model is made of. */
export interface ModelPlan {
  block: Block
  size: Size
  task: Task
  /** Disposes what the cells left that made the block. */
  forget(): void
}

/**
 * What the model of a stored run is made of, from the cells it was made of: they are evaluated in a scope of their own,
 * silently, and plan the run of the same key once more; nothing is trained. Throws what `recreateNotebook`, the cells and
 * the opening of their data throw, and MixlabError `store` where they plan another run.
 */
export async function replan(run: StoredRunDetails, files: FileSource, modules: Modules): Promise<ModelPlan> {
  const scope = createScope(modules)
  try {
    for (const study of studiesIn(await valuesOf(recreateNotebook(run), scope)).reverse()) {
      if (study.name !== run.study) continue
      const { planned, variants } = await openStudy(partOf(study, run), {}, files)
      const again = planned.find(({ key }) => key === run.key)
      const variant = variants.find(({ name }) => name === again?.variant)
      if (variant) return { block: variant.block, size: variant.size, task: variant.opened, forget: scope.forget }
    }
    throw new MixlabError('store', `run ${run.id}`, 'its cells plan another run now: its data or this program changed')
  } catch (error) {
    scope.forget()
    throw error
  }
}

/** A study with the variant and the seed of a run alone, if it has that variant. */
function partOf(study: Study, { origin, seed }: StoredRunDetails): Study {
  if (!origin || !Object.hasOwn(study.spec.variants, origin.variant)) return study
  return only(study, { variants: [origin.variant], seeds: [seed] })
}

/** What the cells of a notebook define and end in, evaluated silently. Throws what they throw. */
export async function valuesOf(notebook: string, scope: NotebookScope): Promise<unknown[]> {
  const cells = parseNotebook(notebook)
  const facts = analyze(cells)
  const silent = () => {}
  const console = { debug: silent, log: silent, info: silent, warn: silent, error: silent }
  const found: unknown[] = []
  for (const id of facts.order) {
    const { value, defined } = await scope.evaluate(cells, facts, id, { console, display: silent })
    found.push(value, ...Object.values(defined))
  }
  return found
}
