import type { FactorRow } from '../../../engine/charts/factors/rows.ts'
import type { StudyDesign } from '../../../engine/records/design.ts'
import type { Crossing } from '../../../engine/study/design/crossing.ts'
import { type Chosen, chosenValue, type DoneRun } from '../table/values.ts'

/** All runs of a study that is crossed, those that are complete with their values. */
export function factorRows(
  { levels }: Crossing,
  planned: StudyDesign['runs'],
  done: readonly DoneRun[],
  chosen: Chosen,
): FactorRow[] {
  const known = new Map(done.map((run) => [JSON.stringify([run.variant, run.seed]), run]))
  return planned.flatMap(({ variant, seed }) => {
    const own = levels.get(variant)
    if (!own) return []
    const run = known.get(JSON.stringify([variant, seed]))
    return [{ levels: own, seed, run: run?.id ?? null, value: (run && chosenValue(run, chosen)) ?? null }]
  })
}
