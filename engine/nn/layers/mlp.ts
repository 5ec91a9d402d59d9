import type { Tensor } from '@tensorflow/tfjs-core'
import type { Initialiser } from '../initialisers.ts'
import { scope } from '../scope.ts'
import { type Activation, activate } from './activation.ts'
import { dense } from './dense.ts'
import { type DropoutRates, dropout } from './dropout.ts'

export interface MlpOptions {
  name?: string
  activation?: Activation
  dropout?: Partial<DropoutRates>
  weight?: Initialiser
  bias?: Initialiser | false
  /** `tokens` where tokens lie along the last axis, since the block has turned its input around; see `dense`. */
  axis?: 'tokens'
}

/** Two dense layers with an activation between, over the channels: `[..., dim]` to `[..., dim]` through `hidden`. */
export function mlp(x: Tensor, hidden: number, options: MlpOptions = {}): Tensor {
  const { name, activation = 'gelu', dropout: rates = {}, axis, ...initial } = options
  return scope('mlp', name, () => {
    const y = activate(dense(x, hidden, { name: 'fc1', axis, ...initial }), activation) // [..., hidden]
    const last = { name: 'fc2', axis: axis && 'hidden', ...initial } as const
    return dropout(dense(dropout(y, rates.activation), x.shape.at(-1) ?? 1, last), rates.hidden)
  })
}
