import type { StudyDesign } from '../engine/records/design.ts'

/** The design of a study of some variants that differ in their blocks alone. */
export function designOf(study: string, runs: StudyDesign['runs'] = [], metric = 'm'): StudyDesign {
  const variants = [...new Set(runs.map(({ variant }) => variant))]
  return { study, metric, variants: variants.map((variant) => ({ variant, settings: {}, intended: [] })), runs }
}
