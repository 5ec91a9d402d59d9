import { mebibytes } from './pages.ts'
import { type Plan, type Region, STEP_LINES } from './plan.ts'
import { MAX_WORKGROUPS } from './wgsl/dispatch.ts'
import { linesOf } from './wgsl/header.ts'

/** Where a region of a plan is in a lane: the lanes of a program lie one after the other. */
export function inLane<Of extends Region>(plan: Pick<Plan, 'floats' | 'ints'>, region: Of, lane: number): Of {
  return { ...region, offset: region.offset + lane * plan[region.memory] }
}

/** Throws where plans cannot be the lanes of one program, on a card whose buffers have at most so many bytes. */
export function checkLanes(plans: readonly Plan[], most: number): void {
  const [plan] = plans as [Plan]
  const lanes = plans.length
  const draws = linesOf(lanes) - STEP_LINES
  if (plan.draws.length > draws) throw new Error(`draws more than ${draws} masks`)
  const room = (elements: number, what: string) => {
    if (4 * lanes * elements <= most) return
    const needed = `${mebibytes(4 * lanes * elements)} MiB ${what}`
    throw new Error(`needs ${needed}, on this card a buffer has ${mebibytes(most)}`)
  }
  room(plan.ints, 'of integers')
  if (lanes === 1) return // the floats of one may be in several pages
  room(plan.floats, `for ${lanes} runs at once`)
  if (plan.dispatches.some(({ workgroups: [, , z] }) => z * lanes > MAX_WORKGROUPS)) {
    throw new Error(`needs more than ${MAX_WORKGROUPS} workgroups along an axis for ${lanes} runs at once`)
  }
  const wanted = inCommon(plan)
  if (plans.some((other) => inCommon(other) !== wanted)) throw new Error('does something else for another seed')
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
