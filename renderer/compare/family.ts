import type { StudyDesign } from '../../engine/records/design.ts'
import type { StoredRun } from '../../engine/records/run.ts'
import { namedRuns } from '../../engine/study/named.ts'
import { trainedKey } from '../../engine/study/planned/departures.ts'
import { withPlan } from '../../engine/study/planned/planOf.ts'
import { outcomes } from '../../engine/study/statistics/index.ts'
import { host } from '../host/state.ts'
import type { ComparedGroup } from './groups.ts'

/** A study in which groups were planned together. */
export interface Family {
  /** Its variants under the names of the groups, where they are among them. */
  design: StudyDesign
  /** The runs of all its variants that are done or diverged, under the same names. */
  runs: StoredRun[]
}

/**
 * The study planned last among the studies that have all these groups; null where no study has all of them: the
 * comparison was decided afterwards.
 */
export async function familyOf(groups: readonly ComparedGroup[]): Promise<Family | null> {
  const keys = groups.flatMap(({ runs }) => runs.map(({ key }) => key))
  const designs = await host().designsOf(keys)
  for (const found of designs) {
    const own = found.runs.flatMap((run) => [run.key, trainedKey(run)])
    const planned = withPlan(found, await host().earlierDesigns([...new Set(own)]), true, null)
    const design = renamed({ ...planned, ledger: await host().standingOf(found) }, groups)
    if (!design) continue
    const keys = [...new Set(design.runs.map(({ key }) => key))]
    const [done, failed] = await Promise.all([host().findDone(keys), host().listRuns({ keys, status: 'failed' })])
    return { design, runs: namedRuns(design.runs, outcomes(done, failed)) }
  }
  return null
}

/** A design with the names of the groups; null unless all of them are in it. */
function renamed(design: StudyDesign, groups: readonly ComparedGroup[]): StudyDesign | null {
  const names = new Map<string, string>()
  for (const { name, runs } of groups) {
    const variants = runs.map(
      ({ key }) => design.runs.find((run) => run.key === key && !names.has(run.variant))?.variant,
    )
    const [variant] = variants
    if (variant === undefined || variants.includes(undefined)) return null
    names.set(variant, name)
  }
  const nameOf = (variant: string) => names.get(variant) ?? variant
  return {
    ...design,
    variants: design.variants.map((each) => ({ ...each, variant: nameOf(each.variant) })),
    runs: design.runs.map((run) => ({ ...run, variant: nameOf(run.variant) })),
    ledger: design.ledger?.map((each) => ({ ...each, variant: nameOf(each.variant) })),
    ...(design.planned && { planned: { ...design.planned, variants: design.planned.variants.map(nameOf) } }),
  }
}
