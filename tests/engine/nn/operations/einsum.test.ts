import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { einsum } from '../../../../engine/nn/index.ts'
import { drawn } from '../gradients.ts'

const LENGTHS: Record<string, number> = { b: 2, h: 3, i: 4, j: 5, k: 6 }

it.each([
  ...['ij,jk->ik', 'ij,kj->ik', 'ji,jk->ik', 'ji,kj->ik', 'ij,jk->ki', 'bij,bjk->bik', 'bij,bkj->bik', 'bji,bjk->bki'],
  ...['bhij,bhkj->bhik', 'bihj,bkhj->bhik', 'bij,jk->bik', 'bij,jk->kbi', 'bij,ik->bkj', 'ij,ij->ij', 'ij,j->ij'],
  ...['i,j->ij', 'ij,ij->i', 'ij,ij->', ',ij->ji', 'bhi,hij->bhj', 'bi,bj->bij', 'ijk,kji->j'],
])('%s is as in TensorFlow.js', (equation) => {
  const before = tf.memory().numTensors
  tf.tidy(() => {
    const [terms = ''] = equation.split('->')
    const operands = terms.split(',').map((term) =>
      drawn(
        term,
        [...term].map((letter) => LENGTHS[letter] as number),
      ),
    )
    const [own, wanted] = [einsum(equation, ...operands), tf.einsum(equation, ...operands)]
    expect(own.shape).toEqual(wanted.shape)
    const far = tf.max(tf.abs(tf.sub(own, wanted))).dataSync()[0]
    expect(far).toBeLessThan(1e-5)
  })
  expect(tf.memory().numTensors).toBe(before)
})

it.each([
  ['ij->ji', [[4, 5]]],
  ['ij->j', [[4, 5]]],
  ['ij->', [[4, 5]]],
])('%s takes one tensor', (equation, shapes) => {
  tf.tidy(() => {
    const x = drawn('x', shapes[0] as number[])
    const wanted = { 'ij->ji': tf.transpose(x), 'ij->j': tf.sum(x, 0), 'ij->': tf.sum(x) }[equation] as tf.Tensor
    expect(einsum(equation, x).shape).toEqual(wanted.shape)
    expect(Array.from(einsum(equation, x).dataSync())).toEqual(Array.from(wanted.dataSync()))
  })
})
