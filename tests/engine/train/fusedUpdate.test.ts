import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { updateInPlace } from '../../../engine/train/fusedUpdate.ts'
import { optimizerKind } from '../../../engine/train/optimizers/index.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { valuesOf, withParameters } from './parameters.ts'

const variableOf = (...values: number[]) => tf.tidy(() => tf.variable(tf.tensor1d(values)))

/** average = (average + value) / 2. */
const halve = (value: tf.Tensor, average: tf.Variable) =>
  updateInPlace('AverageUpdate', [value], [[average]], { decay: 0.5 })

describe('updateInPlace', () => {
  it('does nothing on a backend without the kernel', () => {
    const [value, average] = [variableOf(1), variableOf(3)]
    expect(halve(value, average)).toBe(false)
    expect(average.dataSync()[0]).toBe(3)
    tf.dispose([value, average])
  })
})

describe('updateInPlace on simd', () => {
  onSimd()

  it('writes where the variable has its values', () => {
    const [value, average] = [variableOf(1, 2), variableOf(3, 4)]
    const { dataId } = average
    expect(halve(value, average)).toBe(true)
    expect(average.dataId).toBe(dataId)
    expect([...average.dataSync()]).toEqual([2, 3])
    tf.dispose([value, average])
  })
  it('leaves everything else that shares the data of a variable as it was', () => {
    const [value, average] = [variableOf(1, 2), variableOf(3, 4)]
    const others = [tf.clone(average), tf.reshape(average, [2, 1]), tf.variable(average)]
    expect(halve(value, average)).toBe(true)
    expect([...average.dataSync()]).toEqual([2, 3])
    for (const other of others) expect([...other.dataSync()]).toEqual([3, 4])
    tf.dispose([value, average, ...others])
  })
  it('leaves the array alone that a variable was made of, and what was read from it', () => {
    const given = Float32Array.of(3, 4)
    const [value, average] = [variableOf(1, 2), tf.tidy(() => tf.variable(tf.tensor(given)))]
    halve(value, average)
    const read = average.dataSync()
    halve(value, average)
    expect([[...given], [...read]]).toEqual([
      [3, 4],
      [2, 3],
    ])
    tf.dispose([value, average])
  })
  it('takes variables and tensors whose values are on another backend', async () => {
    await tf.setBackend('cpu')
    const [value, average] = [variableOf(1, 2), variableOf(3, 4)]
    const clone = tf.clone(average)
    await tf.setBackend('simd')
    expect(halve(value, average)).toBe(true)
    expect([...average.dataSync(), ...clone.dataSync()]).toEqual([2, 3, 3, 4])
    tf.dispose([value, average, clone])
  })
  it('does nothing with other types and sizes', () => {
    const [value, average] = [tf.scalar(1), variableOf(3, 4)]
    const integers = tf.tidy(() => tf.variable(tf.tensor1d([3, 4], 'int32')))
    expect(halve(value, average)).toBe(false)
    expect(halve(average, integers)).toBe(false)
    expect([...average.dataSync(), ...integers.dataSync()]).toEqual([3, 4, 3, 4])
    tf.dispose([value, average, integers])
  })
  it.each(['adamw', 'lamb', 'sgd'])('%s: a copy of a parameter and of the state keeps its values', async (name) => {
    await withParameters({ w: [1, -2, 3] }, (parameters) => {
      const kind = optimizerKind(name)
      const optimizer = kind.create(kind.resolve({}), parameters)
      const update = () => tf.tidy(() => optimizer.update({ w: tf.tensor1d([1, 2, 3]) }, 0.1))
      update()
      const tensors = [...parameters.map(({ variable }) => variable), ...Object.values(optimizer.state().tensors)]
      const before = tensors.map((tensor) => [...tensor.dataSync()])
      const copies = tensors.map((tensor) => tf.clone(tensor))
      update()
      expect(copies.map((tensor) => [...tensor.dataSync()])).toEqual(before)
      expect(valuesOf(parameters).w).not.toEqual(before[0])
      tf.dispose(copies)
      optimizer.dispose()
    })
  })
})
