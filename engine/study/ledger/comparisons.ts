import type { StudyDesign } from '../../records/design.ts'
import { keyOfSpec } from '../key.ts'
import { seedsOf, trainedKey } from '../planned/departures.ts'
import { ALPHA } from '../statistics/signFlip.ts'

/** A comparison that a study makes, or one network alone that it trains, whose results may choose what is compared later. */
export interface Compared {
  variant: string
  /** Digest of task and data; see Arm. */
  on: string
  /** The network of the first variant; null where the study has one variant. */
  baseline: string | null
  candidate: string
  /** What is looked at: the metric, and the runs of both. The same look again is no other comparison. */
  look: string
  seeds: number[]
}

/**
 * The comparisons of a study with its first variant, each look once; none of one that asks nothing, as the runs that
 * choose its values, and none in quick mode.
 */
export function comparisonsIn(design: StudyDesign): Compared[] {
  if (design.questions?.length === 0) return []
  const [first] = design.variants
  const runs = Map.groupBy(design.runs, ({ variant }) => variant)
  const looked = (variants: readonly string[]) =>
    keyOfSpec([design.metric, ...variants.map((variant) => (runs.get(variant) ?? []).map(trainedKey).sort())])
  const seeds = seedsOf(design)
  const compared = design.variants.length > 1 ? design.variants.slice(1) : design.variants
  const all = compared.flatMap(({ variant, arm }): Compared[] => {
    if (!first?.arm || !arm) return []
    const isAlone = variant === first.variant
    return [
      {
        ...{ variant, on: arm.on, candidate: arm.network, seeds },
        baseline: isAlone ? null : first.arm.network,
        look: looked(isAlone ? [variant] : [first.variant, variant]),
      },
    ]
  })
  return [...new Map(all.toReversed().map((each) => [each.look, each])).values()].reverse()
}

/** The level of the first comparison of a family: six seeds can reach it. */
const FIRST = 1 / 32

/**
 * The level of a comparison by its place in its family, from 1 on. All of them together, however many there will be, are
 * 0.05, so that at most 5% of families without any difference ever show one (alpha spending for a sequence of
 * hypotheses: Foster and Stine, "Alpha-Investing", 2008).
 */
export function levelAt(place: number): number {
  return place <= 1 ? FIRST : (ALPHA - FIRST) / ((place - 1) * place)
}

/** The level of some comparisons together that have places one after the other. */
export function levelOf(places: readonly number[]): number {
  return places.reduce((sum, place) => sum + levelAt(place), 0)
}
