import * as models from '../models/index.ts'
import { type Block, isBlock } from '../nn/block.ts'
import { provenanceOf } from '../notebook/provenance.ts'
import type { Task } from '../tasks/types.ts'
import type { Study } from './compare.ts'
import { keyOfSpec, NUMERICS } from './key.ts'
import type { ResolvedStudy } from './resolve.ts'
import type { PlannedRun } from './types.ts'

/** All runs of a study, seed by seed, so that all variants advance together. */
export function planRuns(study: Study, resolved: ResolvedStudy, task: Task): PlannedRun[] {
  const { name, variants, recipe, seeds } = resolved
  return seeds.flatMap((seed) =>
    variants.map(({ name: variant, block, size }) => {
      const { fingerprint, code } = codeOf(block, study)
      const model = { ...size, block: block.blockName, code: fingerprint }
      const decisive = { numerics: NUMERICS, task: resolved.task.task, data: task.hash, model, train: recipe, seed }
      // where the data lie does not decide anything, but is worth knowing
      const spec = { ...decisive, task: resolved.task }
      return { key: keyOfSpec(decisive), study: name, variant, seed, spec, code }
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
