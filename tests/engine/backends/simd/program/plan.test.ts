import { expect, it } from 'vitest'
import { GROUPS } from '../../../../../engine/backends/simd/kernels/matmulGroups.ts'
import { planOf } from '../../../../../engine/backends/simd/program/plan.ts'
import { randomGraphs } from '../../../compile/graphs.ts'
import { leaveSimd, useThreads } from '../../../compile/setup.ts'

leaveSimd()

it('cuts a batch of any size into chunks for threads', async () => {
  const { wasm } = await useThreads(1)
  for (const { batch, graph } of await randomGraphs(20)) {
    const { chunks } = planOf(graph, batch, wasm).cut
    expect(batch % chunks).toBe(0)
    expect(chunks).toBeGreaterThanOrEqual(Math.min(batch, GROUPS))
  }
})
