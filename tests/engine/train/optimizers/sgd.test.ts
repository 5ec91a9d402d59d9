import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { sgd } from '../../../../engine/train/optimizers/sgd.ts'
import { describeOnBoth } from '../backends.ts'
import { valuesOf, withParameters } from '../parameters.ts'

describeOnBoth('sgd', () => {
  it('goes along the gradient without momentum and decay', async () => {
    await withParameters({ w: [1, 2] }, (parameters) => {
      const optimizer = sgd.defined.create(sgd.defined.resolve({ momentum: 0, weightDecay: 0 }), parameters)
      for (const learningRate of [0.5, 0.25]) {
        tf.tidy(() => optimizer.update({ w: tf.tensor1d([1, -2]) }, learningRate))
      }
      optimizer.dispose()
      expect(valuesOf(parameters).w).toEqual([0.25, 3.5])
    })
  })
  it('refuses Nesterov without momentum', () => {
    expect(() => sgd.defined.resolve(sgd({ nesterov: true, momentum: 0 }).options)).toThrow(
      'train.optimizer.nesterov: true, expected a momentum above 0',
    )
  })
})
