import { MixlabError, suggest } from '../../errors.ts'
import { type Model, parameterCount } from '../../nn/model.ts'
import type { PlannedRun, RunName } from '../../records/run.ts'
import type { RunStore } from '../../records/store.ts'
import { loadFitting } from '../../weights/model.ts'
import { startName } from './name.ts'
import { type Parts, startFromParts } from './parts.ts'

/**
 * The run of `before` from which the run of a variant and seed starts: the one with the same variant and seed. Throws
 * MixlabError `option` where there is none.
 */
export function startOf(study: string, before: PlannedRun[], variant: string, seed: number): RunName {
  const same = before.filter((run) => run.variant === variant)
  const found = same.find((run) => run.seed === seed)
  if (found) return { key: found.key, study: found.study, variant, seed }
  const parent = `'${before[0]?.study}'`
  if (same.length > 0) {
    const seeds = same.map((run) => run.seed).join(', ')
    throw new MixlabError('option', `${study}.from`, `${parent} has no seed ${seed}, only ${seeds}`)
  }
  const variants = [...new Set(before.map((run) => run.variant))]
  throw new MixlabError('option', `${study}.from`, `${parent} has no variant '${variant}'${suggest(variant, variants)}`)
}

/** The weights that a run starts from, or null if it starts from none. Throws MixlabError `option` where they are missing. */
export async function startingWeights(
  { study, from }: PlannedRun,
  runs: Pick<RunStore, 'findDone' | 'readWeights'>,
): Promise<Uint8Array | null> {
  if (!from || 'path' in from) return null
  const [found] = await runs.findDone([from.key])
  if (found) return runs.readWeights(found.id)
  const run = `run of variant '${from.variant}' with seed ${from.seed}`
  throw new MixlabError('option', `${study}.from`, `'${from.study}' has no finished ${run}`)
}

/**
 * Fine-tuning (transfer learning): gives a model the weights of the run that a run starts from, if any, where names and shapes are the same; a new head stays
 * as it is; with `parts`, what these say. Returns the number of trained values that were given, null where it starts from none. Throws MixlabError
 * `weights` if there are none.
 */
export async function startFromRun(
  run: PlannedRun,
  model: Model,
  runs: Pick<RunStore, 'findDone' | 'readWeights'>,
  parts?: Parts,
): Promise<number | null> {
  const weights = await startingWeights(run, runs)
  return weights && startFrom(weights, model, run, parts)
}

/** As `startFromRun`, from these weights. */
export function startFrom(weights: Uint8Array, model: Model, run: PlannedRun, parts?: Parts): number {
  const source = `${run.study}.from: '${startName(run)}'`
  if (parts) return startFromParts(weights, model, parts, source)
  const taken = loadFitting(model.parameters, weights, source)
  return parameterCount(taken.filter(({ trained }) => trained))
}
