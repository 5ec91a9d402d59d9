import { MixlabError, suggest } from '../../errors.ts'
import { adamw } from './adamw.ts'
import { groupsKind, groupsWith } from './groups.ts'
import { lamb } from './lamb.ts'
import { lion } from './lion.ts'
import { muon } from './muon.ts'
import { sam, samAdamw } from './sam.ts'
import { scheduleFree } from './scheduleFree.ts'
import { sgd } from './sgd.ts'
import type { OptimizerKind, OptimizerSpec } from './types.ts'

// The optimizers. A new one is one file and one line here.
const kinds: Record<string, OptimizerKind> = {
  adamw: adamw.defined,
  groups: groupsKind(optimizerOf),
  lamb: lamb.defined,
  lion: lion.defined,
  muon: muon.defined,
  sam: sam.defined,
  sam_adamw: samAdamw.defined,
  schedule_free: scheduleFree.defined,
  sgd: sgd.defined,
}

/** The optimizer called `name`. Throws for an unknown one. */
export function optimizerKind(name: string): OptimizerKind {
  const kind = kinds[name]
  if (kind) return kind
  const known = suggest(name, Object.keys(kinds))
  throw new MixlabError('option', 'train.optimizer', `unknown optimizer '${name}'${known}`)
}

/** The optimizer of a recipe: what a cell defined, or else the one of its name. Throws for an unknown one. */
export function optimizerOf({ optimizer, defined }: OptimizerSpec): OptimizerKind {
  return defined ?? optimizerKind(optimizer)
}

/**
 * Optimizers for groups of parameters, e.g. `groups([{ match: /blocks/, dims: 2, optimizer: muon() }, { optimizer: adamw() }])`;
 * each parameter is in the first group that takes it.
 */
export const groups = groupsWith(optimizerOf)

export { adamw } from './adamw.ts'
export type { Group } from './groups.ts'
export { lamb } from './lamb.ts'
export { lion } from './lion.ts'
export { muon } from './muon.ts'
export { isOptimizer, type OptimizerFunction, optimizer } from './optimizer.ts'
export type { OptimizerRule } from './rule.ts'
export { sam, samAdamw } from './sam.ts'
export { scheduleFree } from './scheduleFree.ts'
export { sgd } from './sgd.ts'
export type { Optimizer, OptimizerKind, OptimizerSpec, OptimizerState } from './types.ts'
