import * as models from '../models/index.ts'
import { isBlock } from '../nn/block.ts'
import type { Block } from '../nn/types.ts'
import { provenanceOf } from '../notebook/provenance.ts'
import { NUMERICS } from '../records/numerics.ts'
import type { PlannedRun } from '../records/run.ts'
import type { Task } from '../tasks/types.ts'
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
  // decides nothing: what is only kept of a run
  const { checkpointEvery: _, histograms: __, snapshots: ___, ...recipe } = resolved.recipe
  return seeds.flatMap((seed) =>
    variants.map(({ name: variant, block, size }) => {
      const { fingerprint, code } = codeOf(block, study)
      const model = { ...size, block: block.blockName, code: fingerprint }
      const from = before && startOf(name, before, variant, seed)
      const common = { numerics: NUMERICS, data: task.hash, model, train: recipe, seed, ...task.measured }
      const key = keyOfSpec({ ...common, task: resolved.task.task, from: from?.key })
      // where the data lie does not decide anything, but is worth knowing
      return { key, study: name, variant, seed, from, spec: { ...common, task: resolved.task, from }, code }
    }),
  )
}

const builtIn = new Set<unknown>(Object.values(models).filter(isBlock))

/** Where a block's code is: a cell of its own, the engine, or else the cell of the study. */
function codeOf(block: Block, study: Study): { fingerprint: string; code: string } {
  const own = provenanceOf(block.origin)
  if (own) return own
  if (builtIn.has(block.origin)) return { fingerprint: 'built in', code: `// built in: ${block.blockName}` }
  return provenanceOf(study) ?? { fingerprint: String(block.run), code: String(block.run) }
}
