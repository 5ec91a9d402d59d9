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
import { codeDigest } from './design/codeDigest.ts'
import { checkOneFunction } from './design/oneFunction.ts'
import type { ResolvedStudy } from './design/resolve.ts'
import { BUILT_IN, builtInCode, keyOfRun } from './key.ts'
import type { OpenVariant } from './opened.ts'
import { startOf } from './start/run.ts'

/**
 * All runs of a study, seed by seed, so that all variants advance together. Variants that come to the same share their
 * keys, whatever their names. Throws MixlabError `option` where functions that may differ would share one.
 */
export async function planRuns(
  study: Study,
  { name, seeds }: Pick<ResolvedStudy, 'name' | 'seeds'>,
  variants: PlannedVariant[],
): Promise<PlannedRun[]> {
  const parts: (PlannedVariant & Awaited<ReturnType<typeof keyedParts>>)[] = []
  for (const variant of variants) parts.push({ ...variant, ...(await keyedParts(study, variant)) })
  return seeds.flatMap((seed) =>
    parts.map(({ name: variant, task, before, file, code, ...own }) => {
      const from = file?.name ?? (before && startOf(name, before.planned, variant, seed))
      const common = { numerics: NUMERICS, data: own.data, model: own.model, train: own.train, seed, ...own.measured }
      const spec = { ...common, task, from }
      return { key: keyOfRun(spec), study: name, variant, seed, from, spec, code }
    }),
  )
}

type PlannedVariant = Pick<OpenVariant, 'name' | 'block' | 'size' | 'task' | 'recipe' | 'opened' | 'before' | 'file'>

/** What the runs of a variant share of their spec. */
async function keyedParts(study: Study, { name, block, size, task, recipe, opened }: PlannedVariant) {
  const { fingerprint, code } = codeOf(block, study)
  const model = {
    ...keyedSize(block, size),
    block: block.blockName,
    code: fingerprint,
    ...(block.numerics !== 1 && { numerics: block.numerics }),
    ...(fingerprint !== BUILT_IN && (await keyedFunction(study, name, { block, size, opened }, fingerprint))),
  }
  return {
    code,
    model,
    data: keyedData(task, opened),
    train: keyedRecipe(recipe),
    measured: opened.measured ?? {},
  }
}

/** What a block of a cell captured when it was defined, which the text of the cell does not say. */
async function keyedFunction(
  study: Study,
  variant: string,
  { block, size, opened }: Pick<PlannedVariant, 'block' | 'size' | 'opened'>,
  fingerprint: string,
): Promise<Record<string, unknown>> {
  const captured = Object.keys(block.captured).length > 0 ? { captured: block.captured } : {}
  const does = await codeDigest(opened.model(block, size), opened.input)
  if (does) return { ...captured, does }
  checkOneFunction(study, block, JSON.stringify([fingerprint, block.blockName, captured]), variant)
  return captured
}

/** What stands for the data of a task in a spec: the hash of the task, which has its first options, with those of later. */
export function keyedData({ task: name, options }: Pick<TaskSpec, 'task' | 'options'>, { hash }: Task): string {
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
  if (builtIn.has(block.origin)) return { fingerprint: BUILT_IN, code: builtInCode(block.blockName) }
  return provenanceOf(study) ?? { fingerprint: String(block.run), code: String(block.run) }
}
