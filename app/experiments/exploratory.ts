import type { StudyDesign } from '../../engine/records/design.ts'
import { withPlan } from '../../engine/study/planned/planOf.ts'
import { unplanned } from '../../engine/study/statistics/verdict.ts'

/** A study as it will be trained, and whether it says itself what it asks. */
export interface Planned {
  design: StudyDesign
  asked: boolean
}

/**
 * Why a study, once trained, would be exploratory, and decide nothing: studies trained before it have runs of it, with
 * another plan, e.g. another metric. Null where it would not be.
 */
export function whyExploratory({ design, asked }: Planned, before: readonly Planned[]): string | null {
  const earlier = before.map((each, i) => ({ design: each.design, at: i + 1, begunAt: i + 1 })) // in the order of training
  const { metric, variants } = design
  const baseline = variants[0]?.variant ?? ''
  const planned = withPlan(design, earlier, asked, earlier.length + 1)
  return unplanned({ design: planned, metric, runs: [], variants: [], baseline }, {})
}
