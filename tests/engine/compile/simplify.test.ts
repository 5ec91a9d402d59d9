import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import type { Graph } from '../../../engine/compile/graph.ts'
import { type RecordingMarks, recordGraph } from '../../../engine/compile/record.ts'
import { simplify } from '../../../engine/compile/simplify.ts'
import { expectWellFormed, numberOf, randomGraphs } from './graphs.ts'

/** The graph of code that reads x, `[2, 3]`. */
function graphOf(body: (x: tf.Tensor, marks: RecordingMarks) => tf.NamedTensorMap): Promise<Graph> {
  return recordGraph({ x: { shape: [2, 3], dtype: 'float32' } }, ({ x }, marks) => body(x as tf.Tensor, marks))
}

const kernelsOf = ({ operations }: Graph) => operations.map(({ kernel }) => kernel)

describe('simplify', () => {
  it.each([
    ['[2, 3]', (x: tf.Tensor) => tf.mul(x, tf.ones([2, 3]))],
    ['[3], in front', (x: tf.Tensor) => tf.mul(tf.ones([3]), x)],
    ['[1, 1, 1], another shape', (x: tf.Tensor) => tf.mul(x, tf.ones([1, 1, 1]))],
    ['a number', (x: tf.Tensor) => tf.mul(x, 1)],
    ['twice', (x: tf.Tensor) => tf.mul(tf.mul(x, 1), tf.ones([2, 1]))],
  ])('leaves out products by ones: %s', async (_, product) => {
    const graph = simplify(await graphOf((x) => ({ y: tf.neg(product(x)) })))
    expect(kernelsOf(graph)).toEqual(['Neg'])
    const shape = tf.tidy(() => product(tf.zeros([2, 3])).shape)
    expect(graph.operations[0]?.inputs.x).toMatchObject({ value: graph.inputs.x?.value, shape })
    expect(graph.constants).toEqual([])
  })

  it('keeps products that do more', async () => {
    const graph = simplify(
      await graphOf((x) => ({
        broadcast: tf.mul(x, tf.ones([4, 1, 1])),
        almost: tf.mul(x, tf.tensor1d([1, 1, 1.5])),
        whole: tf.mul(tf.cast(x, 'int32'), tf.ones([2, 3], 'int32')),
        sum: tf.add(x, tf.ones([2, 3])),
      })),
    )
    expect(kernelsOf(graph)).toEqual(['Multiply', 'Multiply', 'Cast', 'Multiply', 'Add'])
  })

  it('gives the factor where the product is an output', async () => {
    const graph = simplify(await graphOf((x) => ({ y: tf.mul(x, 1), z: tf.mul(tf.neg(x), 1) })))
    expect(kernelsOf(graph)).toEqual(['Neg'])
    expect(graph.outputs.y?.value).toBe(graph.inputs.x?.value)
    expect(graph.outputs.z?.value).toBe(graph.operations[0]?.outputs[0]?.value)
  })

  it('leaves out what no output needs, with its constants and draws', async () => {
    const graph = simplify(
      await graphOf((x, { draw }) => {
        const [used, unused] = [tf.ones([2, 1]), tf.ones([2, 1])]
        for (const tensor of [used, unused]) draw(tensor, () => new Float32Array(2))
        tf.exp(tf.mul(tf.add(x, tf.tensor1d([1, 2, 3])), unused))
        const [first] = tf.split(x, 3, 1) // the other two are not needed
        return { y: tf.mul(first as tf.Tensor, tf.add(used, 2)) }
      }),
    )
    expect(kernelsOf(graph)).toEqual(['SplitV', 'Add', 'Multiply'])
    expect(graph.constants.map(({ values }) => [...(values as Float32Array)])).toEqual([[2]])
    expect(graph.draws.length).toBe(1)
    expectWellFormed(graph, 'draws')
  })

  it('does once what is done twice, where there is no backward pass', async () => {
    const code = (x: tf.Tensor) => {
      const [once, twice] = [tf.neg(tf.exp(x)), tf.neg(tf.exp(tf.mul(x, 1)))]
      return { sum: tf.add(once, twice), other: tf.exp(tf.reshape(x, [3, 2])), twice, whole: tf.cast(x, 'int32') }
    }
    const graph = simplify(await graphOf(code))
    expect(kernelsOf(graph)).toEqual(['Exp', 'Neg', 'Add', 'Exp', 'Cast'])
    expect(graph.outputs.twice?.value).toBe(graph.operations[1]?.outputs[0]?.value)
    expectWellFormed(graph, 'repeats')
    const trained = simplify(
      await graphOf((x, { backward }) => {
        const { sum } = code(x)
        backward()
        return { sum, y: tf.square(sum) }
      }),
    )
    expect(kernelsOf(trained)).toEqual(['Exp', 'Neg', 'Exp', 'Neg', 'Add', 'Square'])
  })

  it('knows where the backward pass begins', async () => {
    const graph = simplify(
      await graphOf((x, { backward }) => {
        tf.exp(x)
        const y = tf.tanh(tf.mul(tf.sigmoid(x), 1))
        backward()
        tf.exp(x)
        return { y: tf.neg(tf.mul(y, 1)) }
      }),
    )
    expect(kernelsOf(graph)).toEqual(['Sigmoid', 'Tanh', 'Neg'])
    expect(graph.backward).toBe(2)
  })

  it('keeps random code in order, forward and backward', async () => {
    for (const { name, graph } of await randomGraphs(25)) {
      const simple = simplify(graph)
      expectWellFormed(simple, name)
      const forward = new Set(graph.operations.slice(0, graph.backward).flatMap(({ outputs }) => outputs.map(numberOf)))
      simple.operations.forEach(({ outputs }, i) => {
        expect(forward.has(outputs[0]?.value as number), name).toBe(i < simple.backward)
      })
      expect(simplify(simple), name).toEqual(simple)
    }
  })
})
