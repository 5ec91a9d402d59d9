import { MixlabError, suggest } from '../../errors.ts'
import { adamwKind } from './adamw.ts'
import { lambKind } from './lamb.ts'
import { sgdKind } from './sgd.ts'
import type { OptimizerKind } from './types.ts'

// The optimizers. A new one is one file and one line here.
const kinds: Record<string, OptimizerKind> = {
  adamw: adamwKind,
  lamb: lambKind,
  sgd: sgdKind,
}

/** The optimizer called `name`. Throws for an unknown one. */
export function optimizerKind(name: string): OptimizerKind {
  const kind = kinds[name]
  if (kind) return kind
  const known = suggest(name, Object.keys(kinds))
  throw new MixlabError('option', 'train.optimizer', `unknown optimizer '${name}'${known}`)
}

export { adamw } from './adamw.ts'
export { lamb } from './lamb.ts'
export { sgd } from './sgd.ts'
export type { Optimizer, OptimizerSpec, OptimizerState } from './types.ts'
