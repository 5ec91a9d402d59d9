import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { adamw } from '../../../../engine/train/optimizers/adamw.ts'
import { lamb } from '../../../../engine/train/optimizers/lamb.ts'
import type { OptimizerKind } from '../../../../engine/train/optimizers/types.ts'
import { describeOnBoth } from '../backends.ts'
import { valuesOf, withParameters } from '../parameters.ts'

/** Parameter `w` after one step of learning rate 0.1 along the gradient [30, 40], of norm 50. */
function step(kind: OptimizerKind, options: Record<string, unknown>, w = [3, 4], decay = true): Promise<number[]> {
  return withParameters({ w }, (parameters) => {
    const optimizer = kind.create(
      kind.resolve(options),
      parameters.map((parameter) => ({ ...parameter, decay })),
    )
    tf.tidy(() => optimizer.update({ w: tf.tensor1d([30, 40]) }, 0.1))
    optimizer.dispose()
    return valuesOf(parameters).w ?? []
  })
}

describeOnBoth('lamb', () => {
  it('steps by the norm of the parameter times the learning rate', async () => {
    const [a, b] = (await step(lamb.defined, {})) as [number, number]
    expect(Math.hypot(3 - a, 4 - b)).toBeCloseTo(0.5, 5)
  })
  it('takes the update as it is for a parameter of zeros', async () => {
    const [a, b] = (await step(lamb.defined, { maxGradNorm: 0, weightDecay: 0.2 }, [0, 0])) as [number, number]
    expect(a).toBeCloseTo(-0.1, 6)
    expect(b).toBeCloseTo(-0.1, 6)
  })
  it.each([
    ['without weight decay', { weightDecay: 0 }, true],
    ['for exempt parameters', { weightDecay: 0.2 }, false],
  ])('is Adam %s', async (_, options, decay) => {
    const adam = await step(adamw.defined, { eps: 1e-6, weightDecay: 0 })
    expect(await step(lamb.defined, { ...options, maxGradNorm: null }, [3, 4], decay)).toEqual(adam)
  })
  it.each([
    [1, 0.06],
    [100, 3],
    [0, 3],
    [null, 3],
  ])('scales gradients down to a global norm of %j', async (maxGradNorm, first) => {
    await withParameters({ w: [3, 4] }, (parameters) => {
      const optimizer = lamb.defined.create(lamb.defined.resolve({ maxGradNorm }), parameters)
      tf.tidy(() => optimizer.update({ w: tf.tensor1d([30, 40]) }, 0.1))
      expect(optimizer.state().tensors['exp_avg.w']?.dataSync()[0]).toBeCloseTo(first, 5)
      optimizer.dispose()
    })
  })
  it('refuses a negative maxGradNorm', () => {
    expect(() => lamb.defined.resolve(lamb({ maxGradNorm: -1 }).options)).toThrow(
      'train.optimizer.maxGradNorm: -1, expected at least 0',
    )
  })
})
