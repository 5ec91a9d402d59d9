import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { adamw, lamb, optimizerKind, sgd } from '../../../../engine/train/optimizers/index.ts'
import type { Optimizer } from '../../../../engine/train/optimizers/types.ts'
import { describeOnBoth } from '../backends.ts'
import { valuesOf, withParameters } from '../parameters.ts'

const start = { a: [1, -2, 3], b: [0.5] }

function update(optimizer: Optimizer, scale: number) {
  tf.tidy(() => optimizer.update({ a: tf.tensor1d([scale, 1, -scale]), b: tf.tensor1d([scale]) }, 0.01))
}

for (const { optimizer: name, options } of [adamw(), lamb(), sgd({ nesterov: true })]) {
  describeOnBoth(name, () => {
    const kind = optimizerKind(name)
    it('goes on from an assigned state as if it had never stopped', async () => {
      await withParameters(start, async (parameters) => {
        const first = kind.create(kind.resolve(options), parameters)
        update(first, 1)
        update(first, 2)
        await withParameters(valuesOf(parameters), (others) => {
          const second = kind.create(kind.resolve(options), others)
          const { step, tensors } = first.state()
          second.state().step = step
          for (const [name, tensor] of Object.entries(tensors)) second.state().tensors[name]?.assign(tensor)
          update(first, 3)
          update(second, 3)
          expect(valuesOf(others)).toEqual(valuesOf(parameters))
          second.dispose()
        })
        first.dispose()
      })
    })
    it('leaves the gradients alone', async () => {
      await withParameters(start, (parameters) => {
        const optimizer = kind.create(kind.resolve(options), parameters)
        const gradients = { a: tf.tensor1d([3, 4, 0]), b: tf.tensor1d([12]) }
        optimizer.update(gradients, 0.1)
        expect([...gradients.a.dataSync(), ...gradients.b.dataSync()]).toEqual([3, 4, 0, 12])
        tf.dispose(gradients)
        optimizer.dispose()
      })
    })
  })
}
