import { type Claim, isClaim, type PartPlan, planOfPart } from '../../engine/claims/index.ts'
import type { FileSource } from '../../engine/data/files.ts'
import { MixlabError } from '../../engine/errors.ts'
import type { Study } from '../../engine/study/compare.ts'
import { openStudy } from '../../engine/study/open.ts'
import type { OpenStudy } from '../../engine/study/opened.ts'
import { studiesIn as studiesAmong } from '../../engine/study/studies.ts'
import { definedIn } from '../studies.ts'

/** A claim of a notebook, and the plan of each of its parts. */
export interface PlannedClaim extends Claim {
  plans: PartPlan[]
  /** The studies of its parts, in the order in which they are trained. */
  opened: ReadonlyMap<Study, OpenStudy>
}

/**
 * The claim that a notebook makes, beside its plan; null where it makes none. Its cells are evaluated, and the data of its
 * studies opened. Throws MixlabError `notebook` for more than one, and `option` where a study does not ask a part of it.
 */
export async function claimIn(notebook: string, files: FileSource): Promise<PlannedClaim | null> {
  const { values } = await definedIn(notebook, () => {})
  const [claim, more] = values.filter(isClaim)
  if (more) throw new MixlabError('notebook', 'claim', 'made twice, expected one claim in a notebook')
  if (!claim) return null
  const own = new Set(claim.parts.map(({ study }) => study))
  const studies = [...new Set([...studiesAmong(values).filter((study) => own.has(study)), ...own])]
  const opened = new Map(
    await Promise.all(studies.map(async (study) => [study, await openStudy(untuned(study), {}, files)] as const)),
  )
  const plans = claim.parts.map((part) => {
    const design = opened.get(part.study)?.design
    if (!design) throw new Error(`'${part.study.name}' is not open`)
    return planOfPart(part, design)
  })
  return { ...claim, plans, opened }
}

/** A study as it is compared, whatever is chosen for it before. */
export function untuned(study: Study): Study {
  const { tune: _, ...spec } = study.spec
  return { ...study, spec }
}
