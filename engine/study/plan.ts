import { digest } from '../data/digest.ts'
import * as models from '../models/index.ts'
import { isBlock } from '../nn/block.ts'
import { resolveSize } from '../nn/size.ts'
import type { Block, Size } from '../nn/types.ts'
import { provenanceOf } from '../notebook/provenance.ts'
import { firstOf, keyed, laterOf } from '../records/keyed.ts'
import { NUMERICS } from '../records/numerics.ts'
import type { PlannedRun } from '../records/run.ts'
import { type TaskSpec, taskKind } from '../tasks/index.ts'
import { resolveTokenizer } from '../tasks/tokenizer.ts'
import type { Task } from '../tasks/types.ts'
import { optimizerKind } from '../train/optimizers/index.ts'
import { type Recipe, resolveRecipe } from '../train/recipe.ts'
import type { Study } from './compare.ts'
import { startOf } from './from.ts'
import { keyOfSpec } from './key.ts'
import type { ResolvedStudy } from './resolve.ts'

/**
 * All runs of a study, seed by seed, so that all variants advance together; `before` are those of the study that it
 * starts from.
 */
export function planRuns(study: Study, resolved: ResolvedStudy, task: Task, before?: PlannedRun[]): PlannedRun[] {
  const { name, variants, seeds } = resolved
  const train = keyedRecipe(resolved.recipe)
  const data = keyedData(resolved.task, task)
  return seeds.flatMap((seed) =>
    variants.map(({ name: variant, block, size }) => {
      const { fingerprint, code } = codeOf(block, study)
      const numerics = block.numerics === 1 ? {} : { numerics: block.numerics }
      const model = { ...keyedSize(block, size), block: block.blockName, code: fingerprint, ...numerics }
      const from = before && startOf(name, before, variant, seed)
      const common = { numerics: NUMERICS, data, model, train, seed, ...task.measured }
      const key = keyOfSpec({ ...common, task: resolved.task.task, from: from?.key })
      // where the data lie does not decide anything, but is worth knowing
      return { key, study: name, variant, seed, from, spec: { ...common, task: resolved.task, from }, code }
    }),
  )
}

/** The hash of a task, which has its first options, with those of later. */
function keyedData({ task: name, options }: TaskSpec, { hash }: Task): string {
  const later = [
    ...laterOf(name, keyed(options, firstOf(name), taskKind(name).resolve)),
    ...laterOf('tokenizer', keyed(options.tokenizer ?? {}, firstOf('tokenizer'), resolveTokenizer)),
  ]
  return later.length > 0 ? digest(JSON.stringify([hash, later])) : hash
}

function keyedRecipe({ optimizer: { optimizer, options }, ...recipe }: Recipe) {
  // decides nothing: what is only kept of a run
  const { checkpointEvery: _, histograms: __, snapshots: ___, ...deciding } = recipe
  const own = keyed(options, firstOf(optimizer), optimizerKind(optimizer).resolve)
  return { ...keyed(deciding, firstOf('train'), resolveRecipe), optimizer: { optimizer, options: own } }
}

function keyedSize(block: Block, size: Size) {
  const own = builtIn.has(block.origin) ? firstOf(block.blockName) : Object.keys(block.defaults)
  const resolve = (options: object) => resolveSize({ ...block, options: { ...options } }, {}, block.blockName)
  return keyed(size, [...firstOf('model'), ...own], resolve)
}

const builtIn = new Set<unknown>(Object.values(models).filter(isBlock))

/** Where a block's code is: a cell of its own, the engine, or else the cell of the study. */
function codeOf(block: Block, study: Study): { fingerprint: string; code: string } {
  const own = provenanceOf(block.origin)
  if (own) return own
  if (builtIn.has(block.origin)) return { fingerprint: 'built in', code: `// built in: ${block.blockName}` }
  return provenanceOf(study) ?? { fingerprint: String(block.run), code: String(block.run) }
}
