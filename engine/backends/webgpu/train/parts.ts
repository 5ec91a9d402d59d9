import { sizeOf } from '../../../compile/graph.ts'
import { partOf } from '../../../compile/parts.ts'
import type { RecordedBatch } from '../../../compile/recordedBatch.ts'
import { GRADIENT, PARAMETER } from '../../../compile/training.ts'
import { floatsOf, type Lowered, lowered } from '../plan.ts'

/**
 * Elements of four bytes, 1 GiB, that the values of a part of a batch may take beside parameters and gradients. It is the same
 * for all cards, so that these give the same bits; smaller parts would read the parameters more often than they have to,
 * larger ones do not keep a card busier.
 */
export const PART_FLOATS = 2 ** 28

/** A batch, or as much of it as is computed at a time. */
export interface BatchPart {
  lowered: Lowered
  /** How many there are. */
  parts: number
  /** Why a batch that takes more than a part may is not taken in parts; '' where that is not so. */
  refused: string
}

/** The floats of a lowered graph beside parameters and their gradients. */
function floatsBeside(one: Lowered): number {
  const ends = [...Object.entries(one.graph.inputs), ...Object.entries(one.graph.outputs)]
  const fixed = ends.filter(([name]) => name.startsWith(PARAMETER) || name.startsWith(GRADIENT))
  return floatsOf(one) - fixed.reduce((sum, [, use]) => sum + sizeOf(use), 0)
}

/**
 * The largest part of a batch, of `least` parts or more, whose values take no more than `most` floats, or a single example where that
 * takes more; the graph is that of a loss and its gradients. Null where the batch is not taken in parts and was recorded with less of it.
 */
export function batchPart(recorded: RecordedBatch, most: number, least: number): BatchPart | null {
  const { graph, examples, all } = recorded
  const whole = lowered(graph)
  const beside = floatsBeside(whole) * (all / examples)
  const atOnce = (refused: string) => (all === examples ? { lowered: whole, parts: 1, refused } : null)
  if (beside <= most && least === 1) return atOnce('')
  const names = new Set(Object.keys(graph.inputs).filter((name) => !name.startsWith(PARAMETER)))
  if ([...names].some((name) => graph.inputs[name]?.shape[0] !== examples)) return atOnce('has inputs without examples')
  let last: BatchPart | null = null
  for (let parts = Math.max(least, Math.min(all, Math.ceil(beside / most))); parts <= all; parts++) {
    if (all % parts !== 0) continue
    const part = partOf(recorded, names, all / parts)
    if (part instanceof Error) return atOnce(part.message)
    last = { lowered: lowered(part), parts, refused: '' }
    if (floatsBeside(last.lowered) <= most) break
  }
  return last ?? atOnce('')
}
