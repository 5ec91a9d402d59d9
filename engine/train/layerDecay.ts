import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import type { Parameter } from '../nn/scope.ts'
import type { Optimizer } from './optimizers/types.ts'

/** Makes the optimizer of some parameters, whose learning rates are times `rates`. */
type Create = (parameters: Parameter[], rates?: readonly number[]) => Optimizer

/**
 * Learning rates that fall from the head to the stem (Clark et al. 2020; `layer_decay` of timm): those of the head and the
 * last norm are whole, those of block i of `depth`, and what merges patches before it, are times decay^(depth - i), those of the stem
 * times decay^(depth + 1). Throws MixlabError `option` for a model without blocks.
 */
export function withLayerDecay(create: Create, parameters: Parameter[], decay: number | undefined): Optimizer {
  if (decay === undefined || decay === 1) return create(parameters)
  const names = parameters.map(({ name }) => name)
  return create(parameters, layerScales(names, decay))
}

/** An optimizer that is linear in the learning rate, as one whose change of every parameter is scaled instead. */
export function scaledChanges(optimizer: Optimizer, parameters: Parameter[], scales: readonly number[]): Optimizer {
  return {
    ...optimizer,
    update: (gradients, learningRate) =>
      tf.tidy(() => {
        const before = parameters.map(({ variable }) => tf.clone(variable))
        optimizer.update(gradients, learningRate)
        for (const [i, { variable }] of parameters.entries()) {
          const old = before[i] as tf.Tensor
          variable.assign(tf.add(old, tf.mul(tf.sub(variable, old), scales[i] as number)))
        }
      }),
  }
}

/** The factor of each parameter, in the order in which a model makes them: stem, blocks, head. */
export function layerScales(names: string[], decay: number): number[] {
  const blocks = names.map((name) => Number(/(?:^|\.)(?:blocks|layer)\.(\d+)\./.exec(name)?.[1] ?? Number.NaN))
  const first = blocks.findIndex((block) => block >= 0)
  if (first < 0) throw new MixlabError('option', 'train.layerDecay', 'the model has no numbered blocks')
  const depth = Math.max(...blocks.filter((block) => block >= 0)) + 1
  return blocks.map((block, i) => {
    const next = block >= 0 ? block : (blocks.slice(i).find((later) => later >= 0) ?? depth)
    return decay ** (i < first ? depth + 1 : depth - next)
  })
}
