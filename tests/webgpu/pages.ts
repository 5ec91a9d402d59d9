import { otherBits } from './compare.ts'
import { withSmallBuffers } from './lanes.ts'
import { trained } from './training.ts'

/** A training whose values lie in several buffers, dispatch by dispatch, has the bits of one with a single buffer. */
export async function pages(): Promise<string[]> {
  const wanted = await trained('webgpu')
  const full = await withSmallBuffers(2 ** 14, { losses: 2 }) // so few bytes that values of a toy model go across their ends
  const own = await trained(null)
  return [...(full() < 3 ? [`FAILED: ${full()} buffers are full`] : []), ...otherBits(own, wanted)]
}
