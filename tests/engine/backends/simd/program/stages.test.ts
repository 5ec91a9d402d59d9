import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { keepsBits } from '../../../../../engine/backends/simd/kernels/matmulGroups.ts'
import { groupSums } from '../../../../../engine/backends/simd/program/groups.ts'
import { addressesOf, type Cut } from '../../../../../engine/backends/simd/program/instruction.ts'
import { splitNorms } from '../../../../../engine/backends/simd/program/norms.ts'
import { shareSlopes } from '../../../../../engine/backends/simd/program/slopes.ts'
import { type ProgramStep, stages } from '../../../../../engine/backends/simd/program/stages.ts'
import { splitSums } from '../../../../../engine/backends/simd/program/sums.ts'
import type { Graph, Operation, Use } from '../../../../../engine/compile/graph.ts'
import { pruneUnusedRows } from '../../../../../engine/compile/pruneUnusedRows.ts'
import { recompute } from '../../../../../engine/compile/recompute.ts'
import { recordGraph } from '../../../../../engine/compile/record.ts'
import { simplify } from '../../../../../engine/compile/simplify.ts'
import { gelu } from '../../../../../engine/nn/layers/gelu.ts'
import { given, numberOf, type RandomGraph, randomGraphs } from '../../../compile/graphs.ts'
import { leaveSimd, useThreads } from '../../../compile/setup.ts'

leaveSimd()

const graphs: (RandomGraph & { cut: Cut; steps: ProgramStep[] })[] = []
beforeAll(async () => {
  const { wasm } = await useThreads(1)
  for (const { name, batch, graph: recorded } of [...(await randomGraphs(40)), await deepGraph()]) {
    const whole = splitSums(recompute(pruneUnusedRows(simplify(recorded), keepsBits)))
    const tokens = recorded.inputs.x?.shape[1] ?? 1
    const rows = { tokens, own: 7, each: 7 } // the last chunk has fewer, most often
    const cuts: Cut[] = [
      { chunks: batch, batch, wasm },
      ...(tokens > 7 ? [{ chunks: batch * Math.ceil(tokens / 7), batch, rows, wasm }] : []),
    ]
    for (const cut of cuts) {
      const graph = shareSlopes(groupSums(splitNorms(whole, cut), cut), cut)
      graphs.push({ name: `${name}, ${cut.chunks} chunks`, batch, graph, cut, steps: stages(graph, cut) })
    }
  }
})

/** The gradients of so many wide layers that their weights do not fit into a cache. */
async function deepGraph(dim = 300): Promise<RandomGraph> {
  const [batch, tokens, layers] = [16, 40, 12]
  const float = (...shape: number[]) => ({ shape, dtype: 'float32' }) as const
  const weights = Array.from({ length: layers }, (_, i) => [`weight${i}`, float(dim, dim)])
  const inputs = { x: float(batch, tokens, dim), ...Object.fromEntries(weights) }
  const graph = await recordGraph(inputs, ({ x, ...weights }, { backward }) => {
    const { value, grads } = tf.engine().gradients(() => {
      let y = x as tf.Tensor
      for (const weight of Object.values(weights)) {
        const rows = tf.reshape(y, [-1, dim]) as tf.Tensor2D
        y = tf.add(y, gelu(tf.reshape(tf.matMul(rows, weight as tf.Tensor2D), y.shape)))
      }
      const loss = tf.mean(y) as tf.Scalar
      backward()
      return loss
    }, Object.values(weights))
    return Object.fromEntries([value, ...grads].map((tensor, i) => [i, tensor]))
  })
  return { name: 'layers', batch, graph }
}

const operationsOf = ({ work }: ProgramStep): Operation[] => ('operations' in work ? work.operations : [work])
const outputsOf = ({ outputs }: Graph) => Object.values(outputs).map(numberOf)

describe('stages', () => {
  it('have every operation of the graph once, in stages and alone', () => {
    for (const { name, graph, steps } of graphs) {
      const found = steps.flatMap(operationsOf)
      expect(found.length, name).toBe(graph.operations.length)
      expect(new Set(found), name).toEqual(new Set(graph.operations))
    }
    const deep =
      graphs.find(({ name }) => name.startsWith('layers, 16 '))?.steps.filter(({ work }) => 'operations' in work) ?? []
    expect(deep.length).toBeGreaterThan(3)
    const works = graphs.flatMap(({ steps }) => steps.map(({ work }) => work))
    expect(works.some((work) => 'operations' in work && work.operations.length > 5)).toBe(true)
    expect(works.some((work) => !('operations' in work))).toBe(true)
    expect(deep.flatMap(operationsOf).filter(({ kernel }) => kernel === 'GroupedProduct').length).toBe(12)
  })

  it('have values made before they are needed, and wholly so where all chunks need all of them', () => {
    for (const { name, graph, steps } of graphs) {
      const whole = given(graph) // wholly there when the step begins
      for (const step of steps) {
        const made = new Set(whole)
        operationsOf(step).forEach((operation, i) => {
          for (const { value } of Object.values(operation.inputs)) {
            if (!made.has(value)) expect.fail(`${name}: ${operation.kernel} needs ${value} too early`)
          }
          const addresses = 'operations' in step.work ? (step.work.instructions[i] ?? []).flatMap(addressesOf) : []
          for (const address of addresses) {
            const { whole: all, packed, rows, example } = address as Partial<Record<string, Use>>
            const use = all ?? packed ?? rows ?? example
            if ('group' in address) expect(step.last, name).not.toContain(address.group.value) // of all chunks
            if (use && !whole.has(use.value)) expect.fail(`${name}: ${operation.kernel} needs all of ${use.value}`)
          }
          for (const { value } of operation.outputs) made.add(value)
        })
        for (const value of made) whole.add(value)
      }
    }
  })

  it('give what later steps and the caller need, and nothing else', () => {
    for (const { name, graph, steps } of graphs) {
      steps.forEach((step, i) => {
        if (!('operations' in step.work)) return
        const later = steps.slice(i + 1).flatMap(operationsOf)
        const needed = new Set([
          ...later.flatMap(({ inputs }) => Object.values(inputs).map(numberOf)),
          ...outputsOf(graph),
        ])
        const own = step.work.operations.flatMap(({ outputs }) => outputs.map(numberOf))
        const wanted = own.filter((value) => needed.has(value))
        expect(step.work.outputs.map(numberOf), `${name}, step ${i}`).toEqual(wanted)
      })
    }
  })

  it('let go of each value once, when nobody needs it any more; the caller keeps inputs and outputs', () => {
    for (const { name, graph, steps } of graphs) {
      const gone = new Set<number>()
      for (const step of steps) {
        for (const { inputs } of operationsOf(step)) {
          for (const { value } of Object.values(inputs)) expect(gone.has(value), name).toBe(false)
        }
        for (const value of step.last) {
          expect(gone.has(value), name).toBe(false)
          gone.add(value)
        }
      }
      const stay = new Set([
        ...[...Object.values(graph.inputs), ...graph.constants.map(({ use }) => use)].map(numberOf),
        ...outputsOf(graph),
      ])
      const all = new Set([...given(graph), ...graph.operations.flatMap(({ outputs }) => outputs.map(numberOf))])
      for (const value of all) {
        const used = graph.operations.some(({ inputs, outputs }) =>
          [...Object.values(inputs), ...outputs].some((use) => use.value === value),
        )
        if (used) expect(gone.has(value), `${name}: ${value}`).toBe(!stay.has(value))
      }
    }
  })

  it('have one matrix at most that does not fit into the cache, for it is packed before', async () => {
    const { batch, graph } = await deepGraph(600)
    const { wasm } = await useThreads(1)
    const packed = stages(simplify(graph), { chunks: batch, batch, wasm }).map(({ work }) => {
      const addresses = 'operations' in work ? work.instructions.flat().flatMap(addressesOf) : []
      return new Set(addresses.flatMap((address) => ('packed' in address ? [address.packed.value] : []))).size
    })
    expect(Math.max(...packed)).toBe(1)
    expect(packed.filter((count) => count === 1).length).toBeGreaterThan(20) // forward and backward
  })
})
