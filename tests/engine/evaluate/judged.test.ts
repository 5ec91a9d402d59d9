import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { perplexity, topK } from '../../../engine/evaluate/index.ts'
import { canJudge, judged } from '../../../engine/evaluate/judged.ts'
import { integer, keyOf, normal } from '../../../engine/random.ts'
import { onSimd } from '../backends/simd/setup.ts'

const key = keyOf(1, 'judged')

/** Logits with ties, and some that are no numbers. */
function drawn(rows: number, classes: number) {
  const values = Float32Array.from({ length: rows * classes }, (_, i) => Math.round(40 * normal(key, i)) / 8)
  const labels = Int32Array.from({ length: rows }, (_, i) => integer(key, 2 ** 31 + i, classes))
  return { values, labels }
}

describe('what is found of the rows of logits', () => {
  onSimd()

  it.each([256, 257, 1001])('is what metrics find in them: %i classes', (classes) => {
    const { values, labels } = drawn(6, classes)
    const logits = tf.tensor3d(values, [2, 3, classes])
    const target = tf.tensor2d(labels, [2, 3], 'int32')
    const before = tf.memory().numTensors
    const found = tf.tidy(() => {
      const { surprise, rank } = judged(logits, target) ?? expect.fail('nothing')
      return { surprise: surprise.dataSync() as Float32Array, rank: rank.dataSync() as Float32Array }
    })
    expect(tf.memory().numTensors).toBe(before)
    for (const make of [perplexity, () => topK('accuracy', 1), () => topK('top40', 40)]) {
      const [read, told] = [make(), make()]
      read.add(values, { target: labels })
      told.addJudged?.(found, { target: labels })
      expect(Math.abs(told.value() - read.value())).toBeLessThan(1e-5 * (1 + read.value()))
    }
    const own = labels.map((label, i) => {
      const row = [...values.subarray(i * classes, (i + 1) * classes)]
      return row.filter((value, other) => other !== label && !(value < (row[label] as number))).length
    })
    expect([...found.rank]).toEqual([...own])
    tf.dispose([logits, target])
  })

  it('has ties and what is not a number against the model', () => {
    tf.tidy(() => {
      const logits = tf.fill([3, 256], 1)
      const poisoned = tf.concat([logits, tf.fill([1, 256], Number.NaN)])
      const { rank } = judged(poisoned, tf.tensor1d([0, 7, 255, 3], 'int32')) ?? expect.fail('nothing')
      expect([...rank.dataSync()]).toEqual([255, 255, 255, 255])
    })
  })

  it('is nothing for few classes and other targets', () => {
    tf.tidy(() => {
      const many = tf.zeros([2, 256])
      expect(judged(tf.zeros([2, 255]), tf.zeros([2], 'int32'))).toBe(null)
      expect(judged(many, tf.zeros([2]))).toBe(null)
      expect(judged(many, tf.zeros([1], 'int32'))).toBe(null)
      expect(judged(many, many)).toBe(null)
    })
  })
})

it('is nothing where the backend cannot', async () => {
  await tf.setBackend('cpu')
  expect(canJudge()).toBe(false)
  tf.tidy(() => {
    expect(judged(tf.zeros([2, 256]), tf.zeros([2], 'int32'))).toBe(null)
  })
})
