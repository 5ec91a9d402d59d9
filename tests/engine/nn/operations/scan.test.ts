import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { cumprod, scan } from '../../../../engine/nn/index.ts'
import { drawn } from '../gradients.ts'

/** One token after the other, `[tokens]`. */
function loop(a: number[], b: number[], reverse: boolean): number[] {
  const places = [...b.keys()]
  let state = 0
  const found = Array<number>(b.length).fill(0)
  for (const t of reverse ? places.toReversed() : places) {
    state = (a[t] as number) * state + (b[t] as number)
    found[t] = state
  }
  return found
}

const close = (found: tf.Tensor, wanted: number[]) => {
  const values = found.dataSync()
  expect(values).toHaveLength(wanted.length)
  for (const [i, value] of wanted.entries()) expect(values[i]).toBeCloseTo(value, 5)
}

describe.each([1, 2, 3, 4, 5, 6, 7, 8, 11, 17])('of %i tokens', (tokens) => {
  it.each([false, true])('a scan is what a loop gives, reverse: %s', (reverse) => {
    tf.tidy(() => {
      const [a, b] = [tf.sigmoid(drawn('a', [1, tokens, 1])), drawn('b', [1, tokens, 1])]
      const values = (x: tf.Tensor) => Array.from(x.dataSync())
      close(scan(a, b, { reverse }), loop(values(a), values(b), reverse))
      close(scan(0.5, b, { reverse }), loop(Array(tokens).fill(0.5), values(b), reverse))
      close(
        scan(tf.transpose(a, [2, 0, 1]), tf.transpose(b, [2, 0, 1]), { axis: -1, reverse }),
        loop(values(a), values(b), reverse),
      )
    })
  })
  it('a product of all so far is what a loop gives', () => {
    tf.tidy(() => {
      const x = drawn('x', [1, tokens, 1])
      let product = 1
      close(
        cumprod(x),
        Array.from(x.dataSync(), (value) => (product *= value)),
      )
    })
  })
})
