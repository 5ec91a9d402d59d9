import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import * as mixlab from '../../../../engine/index.ts'
import { surrogate } from '../../../../engine/nn/surrogate.ts'
import { evaluateAll } from '../../../../engine/notebook/index.ts'
import type { Study } from '../../../../engine/study/compare.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { verdicts } from '../../../../engine/study/statistics/verdict.ts'
import { tracing } from '../../../../engine/trace/backend.ts'
import { memoryFiles } from '../../data/memory-files.ts'

/** The runs of a block whose middle is `operation`, beside one without, as planned. */
async function planned(operation: string) {
  const source = `// %% own
import * as tf from '@tensorflow/tfjs'
import { block, compare, dense, image, residual, shapes, surrogate } from 'mixlab'
const operation = ${operation}
const own = block('own', (x, { dim }) => residual(x, operation(dense(x, dim))))
const plain = block('plain', (x, { dim }) => residual(x, dense(x, dim)))
export const study = compare('s', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 4, depth: 1 },
  variants: { plain, own },
  seeds: 1,
})`
  const cells = await evaluateAll(source, { mixlab, '@tensorflow/tfjs': tf }, { console })
  return (await openStudy(cells.get('study')?.value as Study, {}, memoryFiles({}))).planned
}

const keyOf = async (operation: string) => (await planned(operation))[1]?.key

describe('a surrogate gradient', () => {
  it('is that of its backward', () => {
    tf.tidy(() => {
      const through = surrogate(
        (x) => tf.round(x),
        (dy, x) => tf.mul(dy, x),
      )
      const { value, grad } = tf.valueAndGrad((x: tf.Tensor) => tf.sum(through(x)))(tf.tensor1d([0.6, 1.7]))
      expect([...value.dataSync()]).toEqual([3])
      expect([...grad.dataSync()]).toEqual([0.6, 1.7].map(Math.fround))
    })
  })

  it('takes several inputs, and says what its backward has to give', async () => {
    // on shapes alone: tfjs leaves tensors behind where a gradient throws
    await tracing(() => {
      const [a, b] = [tf.ones([2, 3]), tf.ones([3])]
      const both = (gradients: tf.Tensor | tf.Tensor[]) => {
        const product = surrogate(
          (a, b) => tf.mul(a, b),
          () => gradients,
        )
        return tf
          .grads((a, b) => tf.sum(product(a, b)))([a, b])
          .map(({ shape }) => shape)
      }
      expect(both([a, b])).toEqual([[2, 3], [3]])
      expect(() => both([b, a])).toThrow('surrogate: its backward gave [3], [2,3] for inputs [2,3], [3]')
      expect(() => both(a)).toThrow('surrogate: its backward gave [2,3] for inputs [2,3], [3]')
      const none = surrogate(
        () => 3 as unknown as tf.Tensor,
        () => a,
      )
      expect(() => none(a)).toThrow('surrogate: its forward gave no tensor')
      expect(() => none(3 as unknown as tf.Tensor)).toThrow('surrogate: its operation takes tensors, one or more')
    })
  })

  it('is in the key by what it does', async () => {
    const through = await keyOf('surrogate((x) => tf.round(x), (dy) => dy)')
    expect(await keyOf('surrogate((input) => tf.round(input), (grad) => grad)')).toBe(through)
    expect(await keyOf('surrogate((x) => tf.round(x), (dy) => tf.neg(dy))')).not.toBe(through)
    expect(await keyOf('surrogate((x) => tf.floor(x), (dy) => dy)')).not.toBe(through)
  })

  it('is said in the verdict', async () => {
    const runs = (await planned('surrogate((x) => tf.round(x), (dy) => dy)')).map(({ spec, variant, seed }, id) => {
      const metrics = { accuracy: { last: id, best: id } }
      return { id, variant, seed, spec, status: 'done' as const, backend: 'cpu', metrics }
    })
    const [verdict] = verdicts({ metric: 'accuracy', runs, variants: ['own'], baseline: 'plain' })
    expect(verdict?.notes).toContainEqual(expect.stringMatching(/^own has a surrogate gradient/))
  })
})
