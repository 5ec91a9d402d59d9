import * as tf from '@tensorflow/tfjs-core'
import { keyOf } from '../../random.ts'
import { currentPass, drawn, scope } from '../scope.ts'

/**
 * shortcut + branch, `[batch, ...]`. While training with a drop-path rate, the branch is dropped for a whole sample with
 * that probability and scaled by 1 / keep otherwise (stochastic depth, Huang et al. 2016, as in timm). The draws depend
 * only on seed, step, place and sample.
 */
export function residual(shortcut: tf.Tensor, branch: tf.Tensor): tf.Tensor {
  return scope('residual', undefined, (path) => {
    const { training, dropPath, seed } = currentPass(path)
    if (!training || dropPath === 0) return tf.add(shortcut, branch)
    const batch = branch.shape[0] ?? 1
    const key = (step: number) => keyOf(seed, `drop-path/${step}/${path}`)
    const mask = drawn([batch, ...branch.shape.slice(1).fill(1)], { kind: 'uniform', rate: dropPath, key })
    return tf.add(shortcut, tf.mul(branch, mask))
  })
}
