import type { SeedNumber } from '../failures.ts'
import type { Look, Looks } from '../types.ts'
import { eHolm } from './eHolm.ts'
import { ENOUGH, evidence } from './evidence.ts'

/** What is known of one comparison after every look, and the signs with which it was decided, if it was. */
export interface LookedTest extends Looks {
  /** Whether it was decided. */
  shown: boolean
  /** 1 or -1: the sign that more seeds had when it was decided. */
  sign: number
  /** The highest evidence so far, by itself and corrected. */
  highest: number
  highestCorrected: number
}

/** Signs after so many seeds. */
interface Count {
  seed: number
  more: number
  less: number
}

/** Evidence at 20 that rounding has left below it. */
const ROUNDING = 1e-12

/**
 * Bets on the signs of the numbers of several comparisons, seed after seed in the order of the plan, and corrects the
 * evidence for all of them. Each has the numbers of the first seeds of `plan`, as many as are over; 0, what is rounding,
 * and NaN are no bets. What has been decided once stays decided, whatever comes later. Of several `studies` that were planned
 * together each has its share of the 5%, so that the evidence is divided by how many they are.
 */
export function lookFamily(
  parts: readonly (readonly SeedNumber[])[],
  plan: readonly number[],
  studies = 1,
): LookedTest[] {
  const shared = (evidences: readonly number[]) => eHolm(evidences).map((each) => each / studies)
  const counts = parts.map(countsOf)
  const longest = Math.max(0, ...counts.map(({ length }) => length))
  const looks = plan.slice(0, longest).map((seed, look) => {
    const own = counts.map((each) => evidenceAt(each[Math.min(look, each.length - 1)]))
    return { seed, own, corrected: shared(own) }
  })
  const best = shared(counts.map((each) => bestOf(each.at(-1), plan.length - each.length)))
  return counts.map((each, part) => {
    const path = looks.map(({ seed, corrected }): Look => ({ seed, evidence: corrected[part] as number }))
    const at = path.findIndex(({ evidence }) => isEnough(evidence))
    const { more = 0, less = 0 } = each[Math.min(at, each.length - 1)] ?? {}
    return {
      path,
      evidence: (at < 0 ? path.at(-1) : path[at])?.evidence ?? 1,
      decidedWith: path[at]?.seed ?? null,
      reachable: isEnough(best[part] as number),
      plan: plan.length,
      shown: at >= 0,
      sign: more > less ? 1 : -1,
      highest: Math.max(1, ...looks.map(({ own }) => own[part] as number)),
      highestCorrected: Math.max(1, ...path.map(({ evidence }) => evidence)),
    }
  })
}

function countsOf(numbers: readonly SeedNumber[]): Count[] {
  let [more, less] = [0, 0]
  return numbers.map((number) => {
    const sign = Math.sign(number.number)
    if (sign > 0) more += 1
    if (sign < 0) less += 1
    return { seed: number.seed, more, less }
  })
}

const evidenceAt = (count: Count | undefined) => (count ? evidence(count.more, count.less) : 1)

/** The most evidence that a comparison can have when `left` more seeds are over: all of them have one sign. */
function bestOf({ more, less }: Pick<Count, 'more' | 'less'> = { more: 0, less: 0 }, left: number): number {
  return Math.max(evidence(more + left, less), evidence(more, less + left))
}

function isEnough(evidence: number): boolean {
  return evidence >= ENOUGH * (1 - ROUNDING)
}
