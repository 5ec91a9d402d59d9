import type { StudyDesign } from '../../records/design.ts'
import type { PlannedRun, StoredRun, StudyEvent } from '../../records/run.ts'
import type { RunStore } from '../../records/store.ts'
import type { StudyOptions } from '../design/resolve.ts'
import type { OpenStudy } from '../opened.ts'
import { trainedKey } from './departures.ts'
import { withPlan } from './planOf.ts'

interface Environment extends Pick<StudyOptions, 'quick' | 'planOnly'> {
  runs: Pick<RunStore, 'recordDesign' | 'earlierDesigns' | 'standingOf'>
}

/** Records how a study is designed, and returns that beside its plan. */
export async function recordedDesign(open: OpenStudy, environment: Environment): Promise<StudyDesign> {
  const { planned: _, ledger: __, ...own } = await besidePlan(open, environment)
  await environment.runs.recordDesign(own)
  return besidePlan(open, environment) // the store knows since when it is written, and has entered its comparisons
}

/** How a study is designed, beside its plan and where its comparisons stand in the ledger; the quick mode tries a study out, and has none. */
export async function besidePlan(
  { design, study }: OpenStudy,
  { runs, quick, planOnly }: Environment,
): Promise<StudyDesign> {
  if (quick) return design
  const keys = new Set(design.runs.flatMap((run) => [run.key, trainedKey(run)]))
  const asked = study.spec.questions !== undefined
  const planned = withPlan(design, await runs.earlierDesigns([...keys]), asked, planOnly ? null : Date.now())
  const { planned: _, ...own } = planned
  const ledger = await runs.standingOf(own)
  return { ...planned, ...(ledger.length > 0 && { ledger }) }
}

/** What is trained of a study, and what is done of it already; `resumable` has steps by key. */
export function planEvent(
  { name: study, metric }: OpenStudy,
  design: StudyDesign,
  planned: PlannedRun[],
  done: ReadonlyMap<string, StoredRun>,
  resumable: ReadonlyMap<string, number> = new Map(),
): StudyEvent {
  const runs = planned.map((run) => {
    const finished = done.get(run.key) ?? null
    return { ...run, done: finished, resumesAt: finished ? null : (resumable.get(run.key) ?? null) }
  })
  return { type: 'plan', study, metric, variants: [...new Set(planned.map(({ variant }) => variant))], design, runs }
}
