import type { Tensor } from '@tensorflow/tfjs-core'
import { constant, ones, zeros } from '../initialisers.ts'
import { add, mul } from '../ops.ts'
import { parameter, scope } from '../scope.ts'

/** alpha * x + beta per channel: `[..., dim]`. What ResMLP has in place of a norm (equation 1). */
export function affine(x: Tensor, { name }: { name?: string } = {}): Tensor {
  return scope('affine', name, () => {
    const dim = x.shape.at(-1) ?? 1
    const layout = { shape: [1, 1, dim] }
    const alpha = parameter('alpha', [dim], ones, { layout })
    return add(mul(x, alpha), parameter('beta', [dim], zeros, { layout }))
  })
}

/**
 * One learned factor per channel, starting at `start`: `[..., dim]` (LayerScale, Touvron et al. 2021). With a name that is
 * the parameter's own, which layers of one name share.
 */
export function layerScale(x: Tensor, start: number, { name }: { name?: string } = {}): Tensor {
  const scaled = (own: string) => mul(x, parameter(own, [x.shape.at(-1) ?? 1], constant(start)))
  return name === undefined ? scope('layer_scale', name, () => scaled('weight')) : scaled(name)
}
