import type { VariantRow } from '../study/summary.ts'
import type { PartResult, Results, StudyFloors } from './results.ts'

/** Which of some variants do not pass their floors, in words; null where all do. */
export function belowFloors(
  variants: readonly string[],
  rows: readonly VariantRow[],
  { of }: StudyFloors,
): string | null {
  const below = variants.flatMap((variant) => {
    const { mean = null } = rows.find((row) => row.variant === variant) ?? {}
    const floor = of[variant]
    if (!floor || mean === null) return []
    const passes = floor.better === 'higher' ? mean > floor.value : mean < floor.value
    return passes ? [] : [`${variant} at ${mean.toFixed(3)} does not pass ${floor.name} at ${floor.value.toFixed(3)}`]
  })
  if (below.length === 0) return null
  return below.length > 2
    ? `${below.slice(0, 2).join(', ')}, nor do ${below.length - 2} more their floors`
    : below.join(', ')
}

/**
 * Results beside their floors: a part with a variant below its floor compares networks that have not learned what a simple model
 * has, and is only screening. `variantsOf` says which variants decide a part.
 */
export function withFloors(
  results: Results,
  floors: ReadonlyMap<string, StudyFloors>,
  variantsOf: (part: PartResult) => readonly string[],
): Results {
  const studies = results.studies.map((each) => ({ ...each, floors: floors.get(each.study) }))
  const { claim } = results
  if (!claim) return { ...results, studies }
  const parts = claim.parts.map(({ screening: _, shows, ...part }): PartResult => {
    const plain = { ...part, verdict: shows ?? part.verdict }
    const study = studies.find(({ study }) => study === part.study)
    const why = study?.floors ? belowFloors(variantsOf(plain), study.rows, study.floors) : null
    return why === null ? plain : { ...plain, verdict: 'screening', shows: plain.verdict, screening: why }
  })
  return { ...results, studies, claim: { ...claim, parts } }
}
