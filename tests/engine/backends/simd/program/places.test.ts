import { expect, it } from 'vitest'
import { placesOf } from '../../../../../engine/backends/simd/program/places.ts'
import { peakOf, planOf } from '../../../../../engine/backends/simd/program/plan.ts'
import { sizeOf } from '../../../../../engine/compile/graph.ts'
import { randomGraphs } from '../../../compile/graphs.ts'
import { leaveSimd, useThreads } from '../../../compile/setup.ts'

leaveSimd()

it('places values of a program where nothing is taken and no other value is at the same time', async () => {
  const { wasm } = await useThreads(1)
  const taken = [
    { address: 0, end: 1024 },
    { address: 4096, end: 8192 },
  ]
  for (const { batch, graph } of await randomGraphs(20)) {
    const plan = planOf(graph, batch, wasm, 1)
    const places = placesOf(plan, taken)
    const there = new Map<number, { from: number; to: number }>()
    for (const { work, last } of plan.steps) {
      for (const use of work.outputs) {
        const from = places.get(use.value)
        if (from === undefined) continue // truth values are not in this memory
        const part = { from, to: from + 4 * sizeOf(use) }
        const others = [...there.values(), ...taken.map(({ address, end }) => ({ from: address, to: end }))]
        for (const other of others) expect(part.from < other.to && other.from < part.to).toBe(false)
        there.set(use.value, part)
      }
      for (const value of last) there.delete(value)
    }
    expect(Math.max(...places.values())).toBeLessThan(8192 + 2 * peakOf(plan, 1))
  }
})
