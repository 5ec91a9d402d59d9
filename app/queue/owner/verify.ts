import { randomInt } from 'node:crypto'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { QueuedWork } from '../../cells/calls.ts'
import type { LocalHost } from '../../host.ts'
import type { Job } from '../job.ts'
import { sha256 } from '../objects.ts'
import { openSlot } from '../slot.ts'

/** A run that another machine has trained. */
export interface Foreign {
  work: QueuedWork
  job: Job
  machine: string
}

/** What came of training some runs again. */
export interface Verified {
  tried: number
  /** Those that came out otherwise, each in words. */
  differ: string[]
}

/** Names of metrics that say what something took, which differs each time. */
const TAKEN = /(_ms|_per_second|_bytes)$/

/**
 * Trains a share of some runs again, here, drawn at random at the end, so that no worker knows which; at least one. Those
 * that come out with other weights or metrics are marked as doubtful in the store. On `simd` they are the same to the bit;
 * runs of other backends are left out.
 */
export async function verifySample(
  foreign: readonly Foreign[],
  share: number,
  host: LocalHost,
  threads: number,
  signal: AbortSignal,
): Promise<Verified> {
  const left = foreign.filter(({ job }) => job.backend === 'simd')
  const wanted = Math.min(left.length, Math.ceil(left.length * share))
  const differ: string[] = []
  let tried = 0
  while (tried < wanted && !signal.aborted) {
    const [one] = left.splice(randomInt(left.length), 1)
    if (!one) break
    const difference = await differenceOf(one, host, threads, signal)
    if (signal.aborted) break
    tried += 1
    if (difference === null) continue
    const { key, study, variant, seed } = one.job.run
    differ.push(`${study}: ${variant}, seed ${seed}, of ${one.machine}: ${difference}`)
    await host.doubtRuns([key])
  }
  return { tried, differ }
}

/** How a stored run differs from the same one trained here, in words; null where it does not. */
async function differenceOf(
  { work, job }: Foreign,
  host: LocalHost,
  threads: number,
  signal: AbortSignal,
): Promise<string | null> {
  const [stored] = await host.findDone([job.run.key])
  if (!stored) return null // it was put away meanwhile
  const { list, read, findDone, readWeights } = host
  const slot = openSlot(job, work.notebook, threads, () => {})
  const values = new Map<string, number>()
  let weights = ''
  let last: TrainEvent | null = null
  try {
    const inputs = { list, read, findDone, readWeights, readState: async () => null }
    for await (const event of slot.train(job, inputs, signal)) {
      last = event
      if (event.type === 'metric') values.set(event.name, event.value)
      if (event.type === 'checkpoint') weights = sha256(event.weights)
    }
  } finally {
    slot.close()
  }
  if (last?.type !== 'done') return signal.aborted ? null : 'it is not done here'
  if (weights !== sha256(await host.readWeights(stored.id))) return 'its weights are others here'
  const other = [...values].find(([name, value]) => !TAKEN.test(name) && !Object.is(stored.metrics[name]?.last, value))
  return other ? `its ${other[0]} is ${stored.metrics[other[0]]?.last}, here ${other[1]}` : null
}
