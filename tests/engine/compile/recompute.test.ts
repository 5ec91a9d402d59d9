import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { keepsBits } from '../../../engine/backends/simd/kernels/matmulGroups.ts'
import { type Graph, type Operation, sizeOf } from '../../../engine/compile/graph.ts'
import { pruneUnusedRows } from '../../../engine/compile/pruneUnusedRows.ts'
import { recompute } from '../../../engine/compile/recompute.ts'
import { recordGraph } from '../../../engine/compile/record.ts'
import { simplify } from '../../../engine/compile/simplify.ts'
import { gmlp } from '../../../engine/models/index.ts'
import { differentiator } from '../../../engine/train/differentiate.ts'
import { expectWellFormed, numberOf, randomGraphs } from './graphs.ts'
import { lossOf, smallBatch, smallModel } from './models.ts'
import { leaveSimd, taken, useThreads } from './setup.ts'

vi.mock('../../../engine/compile/record.ts', { spy: true })
leaveSimd()
beforeAll(() => useThreads(1))

/** The values that are made forward and needed backward, each with what makes it. */
function kept({ operations, backward }: Graph): Map<number, { maker: Operation; size: number }> {
  const makers = new Map<number, Operation>()
  for (const operation of operations.slice(0, backward)) {
    for (const { value } of operation.outputs) makers.set(value, operation)
  }
  const values = new Map<number, { maker: Operation; size: number }>()
  for (const use of operations.slice(backward).flatMap(({ inputs }) => Object.values(inputs))) {
    const maker = makers.get(use.value)
    if (maker) values.set(use.value, { maker, size: sizeOf(use) })
  }
  return values
}

const elements = (graph: Graph) => [...kept(graph).values()].reduce((sum, { size }) => sum + size, 0)

describe('recompute', () => {
  it('keeps the forward pass and the outputs of random code, and never keeps more for the backward pass', async () => {
    for (const { name, graph } of await randomGraphs(25)) {
      const before = simplify(graph)
      const after = recompute(before)
      expectWellFormed(after, name)
      expect(after.outputs, name).toEqual(before.outputs)
      expect(after.backward, name).toBe(before.backward)
      expect(after.operations.slice(0, after.backward), name).toEqual(before.operations.slice(0, before.backward))
      expect(elements(after), name).toBeLessThanOrEqual(elements(before))
    }
  })

  it('of a gMLP keeps what layers give; GELU, norms, gates and splits are made again', async () => {
    const model = smallModel(gmlp, 'image')
    const batch = smallBatch('image', 4)
    const differences = differentiator(model, lossOf(model))
    const { loss, gradients } = await differences.run(batch, 0)
    taken({ loss, ...gradients } as tf.NamedTensorMap)
    differences.dispose()
    model.dispose()
    for (const tensor of Object.values(batch)) tensor.dispose()

    const graph = (await vi.mocked(recordGraph).mock.results.at(-1)?.value) as Graph
    const before = pruneUnusedRows(simplify(graph), keepsBits)
    const after = recompute(before)
    const kernels = (graph: Graph) => new Set([...kept(graph).values()].map(({ maker }) => maker.kernel))
    expect([...kernels(before)]).toEqual(expect.arrayContaining(['SplitV', 'LayerNorm', 'Multiply', 'Transpose']))
    for (const kernel of ['Gelu', 'SplitV', 'LayerNorm', 'Multiply', 'Transpose']) {
      expect(kernels(after)).not.toContain(kernel)
    }
    expect(elements(after)).toBeLessThan(0.6 * elements(before))

    const count = (operations: Operation[], kernel: string) => operations.filter((one) => one.kernel === kernel).length
    for (const [kernel, times] of [
      ['Gelu', 2],
      ['BatchMatMul', 1],
    ] as const) {
      const [first, again] = [after.operations, before.operations].map((operations) => count(operations, kernel))
      const forward = count(before.operations.slice(0, before.backward), kernel)
      expect(first, kernel).toBe((again as number) + (times - 1) * forward)
    }
    // what is made again comes after the backward pass has begun, right before it is needed
    const made = after.operations.slice(after.backward)
    made.forEach((operation, i) => {
      if (operation.kernel !== 'Gelu') return
      const values = operation.outputs.map(numberOf)
      const needed = made.findIndex(({ inputs }) => Object.values(inputs).some(({ value }) => values.includes(value)))
      expect(needed - i).toBeLessThan(6)
    })
  })

  it('makes large products of few terms again where they are little of the work, and no others', async () => {
    const sizes = async (tokens: number, batch: number, width = 2048) => {
      const float = (...shape: number[]) => ({ shape, dtype: 'float32' }) as const
      const inputs = { x: float(batch, tokens, 256), few: float(1, 256, tokens), many: float(256, width) }
      const graph = await recordGraph(inputs, ({ x, few, many }, { backward }) => {
        const by = [few, many] as tf.Tensor3D[]
        const { value, grads } = tf.engine().gradients(() => {
          const y = tf.relu(tf.matMul(few as tf.Tensor3D, tf.relu(x as tf.Tensor3D)))
          const rows = tf.reshape(y, [-1, 256]) as tf.Tensor2D
          const loss = tf.mean(tf.square(tf.matMul(rows, many as unknown as tf.Tensor2D))) as tf.Scalar
          backward()
          return loss
        }, by)
        return Object.fromEntries([value, ...grads].map((tensor, i) => [i, tensor]))
      })
      const after = recompute(simplify(graph))
      return [...kept(after).values()].map(({ size }) => size)
    }
    const large = 16 * 256 * 256
    expect(await sizes(16, 16)).not.toContain(large)
    expect(await sizes(16, 8)).toContain(large / 2) // the cache has it
    expect(await sizes(65, 16)).toContain(large) // more terms
    expect(await sizes(64, 16)).not.toContain(large)
    expect(await sizes(64, 16, 512)).toContain(large) // a twenty-fifth of the work
  })
})
