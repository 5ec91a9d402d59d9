import { type Limits, largestBuffer, mebibytes, type Pages, pagesFor } from './pages.ts'
import { type Plan, type Region, STEP_LINES } from './plan.ts'
import { MAX_WORKGROUPS } from './wgsl/dispatch.ts'
import { linesOf } from './wgsl/header.ts'

/** Where a region of a plan is in a lane: the lanes of a program lie one after the other. */
export function inLane<Of extends Region>(plan: Pick<Plan, 'floats' | 'ints'>, region: Of, lane: number): Of {
  return { ...region, offset: region.offset + lane * plan[region.memory] }
}

/**
 * The buffers that hold the floats of a plan, or of several as the lanes of one program: no lane has its own, and a shader
 * sees all of them. Throws where plans cannot be lanes, on a card with such limits.
 */
export function pagesOfLanes(plans: readonly Plan[], limits: Limits): Pages {
  const [plan] = plans as [Plan]
  const lanes = plans.length
  const draws = linesOf(lanes) - STEP_LINES
  if (plan.draws.length > draws) throw new Error(`draws more than ${draws} masks`)
  const most = mebibytes(largestBuffer(limits))
  const ints = 4 * lanes * plan.ints
  if (ints > largestBuffer(limits)) {
    throw new Error(`needs ${mebibytes(ints)} MiB of integers, on this card a buffer has ${most}`)
  }
  if (lanes === 1) return plan.pages
  const pages = pagesFor(limits, lanes * plan.floats)
  if (plan.pages.seen < plan.pages.count || pages.seen < pages.count) {
    const needed = `${mebibytes(4 * lanes * plan.floats)} MiB for ${lanes} runs at once`
    throw new Error(`needs ${needed}, on this card a shader sees ${pages.seen} buffers of ${most}`)
  }
  if (plan.dispatches.some(({ workgroups: [, , z] }) => z * lanes > MAX_WORKGROUPS)) {
    throw new Error(`needs more than ${MAX_WORKGROUPS} workgroups along an axis for ${lanes} runs at once`)
  }
  const wanted = inCommon(plan)
  if (plans.some((other) => inCommon(other) !== wanted)) throw new Error('does something else for another seed')
  return pages
}

/** What lanes have in common: all but the values of constants and draws. */
function inCommon({
  shaders,
  dispatches,
  floats,
  ints,
  inputs,
  outputs,
  reserved,
  constants,
  draws,
  uploads,
}: Plan): string {
  const regions = [...constants, ...uploads].map(({ region }) => region)
  const parts = draws.map(({ use, ofPart, source }) => [use, ofPart, source?.kind])
  return JSON.stringify([shaders, dispatches, floats, ints, inputs, outputs, reserved, regions, parts])
}
