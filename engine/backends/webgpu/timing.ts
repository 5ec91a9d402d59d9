import type { DispatchTime } from '../../compile/training.ts'
import type { WebGpuBackend } from './backend.ts'
import { USE } from './gpu.ts'
import type { InstalledPlan } from './installed.ts'
import type { PlannedDispatch } from './plan.ts'

/** Queries that one set holds. */
const MAX_QUERIES = 4096

/** Runs all dispatches once more, each between two timestamps of the card, longest first; null for a card without. */
export async function timeDispatches(
  { card }: WebGpuBackend,
  installed: InstalledPlan,
  dispatches: PlannedDispatch[],
): Promise<DispatchTime[] | null> {
  const queries = 2 * dispatches.length
  if (!card.features.has('timestamp-query') || queries > MAX_QUERIES) return null
  const set = card.createQuerySet({ type: 'timestamp', count: queries })
  const resolved = card.createBuffer({ size: 8 * queries, usage: USE.resolve | USE.copyFrom })
  const staging = card.createBuffer({ size: 8 * queries, usage: USE.copyTo | USE.mapRead })
  for (let i = 0; i < dispatches.length; i++) {
    const encoder = card.createCommandEncoder() // one for each: together they may take longer than a submission should
    const timestampWrites = { querySet: set, beginningOfPassWriteIndex: 2 * i, endOfPassWriteIndex: 2 * i + 1 }
    installed.encode(encoder, i, i + 1, { timestampWrites })
    card.queue.submit([encoder.finish()])
  }
  const encoder = card.createCommandEncoder()
  encoder.resolveQuerySet(set, 0, queries, resolved, 0)
  encoder.copyBufferToBuffer(resolved, 0, staging, 0, 8 * queries)
  card.queue.submit([encoder.finish()])
  await staging.mapAsync(1)
  const stamps = new BigUint64Array(staging.getMappedRange().slice(0))
  staging.unmap()
  for (const buffer of [resolved, staging]) buffer.destroy()
  const times = new Map<string, DispatchTime>()
  for (const [i, { label, operations }] of dispatches.entries()) {
    const found = times.get(label) ?? { kernel: label, calls: 0, operations: 0, ms: 0 }
    found.calls++
    found.operations += operations
    found.ms += Number((stamps[2 * i + 1] as bigint) - (stamps[2 * i] as bigint)) / 1e6
    times.set(label, found)
  }
  return [...times.values()].sort((a, b) => b.ms - a.ms)
}
