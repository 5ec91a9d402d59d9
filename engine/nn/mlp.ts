import type { Tensor } from '@tensorflow/tfjs-core'
import { type Activation, activate } from './activation.ts'
import { dense } from './dense.ts'
import type { Initialiser } from './initialisers.ts'
import { scope } from './scope.ts'

export interface MlpOptions {
  name?: string
  activation?: Activation
  weight?: Initialiser
  bias?: Initialiser | false
}

/** Two dense layers with an activation between, over the channels: `[..., dim]` to `[..., dim]` through `hidden`. */
export function mlp(x: Tensor, hidden: number, options: MlpOptions = {}): Tensor {
  const { name, activation = 'gelu', ...initial } = options
  return scope('mlp', name, () => {
    const y = activate(dense(x, hidden, { name: 'fc1', ...initial }), activation) // [..., hidden]
    return dense(y, x.shape.at(-1) ?? 1, { name: 'fc2', ...initial })
  })
}
