import {
  type ArmFloor,
  type PartResult,
  type Results,
  type StudyFloors,
  variantsOfPart,
  withFloors,
} from '../../engine/claims/index.ts'
import { highestFloor, type TaskFloors } from '../../engine/records/design.ts'
import { metricMeaning } from '../../engine/study/design/checkMargin.ts'
import { FLOORS_VERSION, measureFloors } from '../../engine/study/floors/measureFloors.ts'
import type { OpenStudy } from '../../engine/study/opened.ts'
import type { PlannedClaim } from './claims.ts'

/** Floors measured by this process, by data and task: many notebooks have the same data. */
const known = new Map<string, Promise<TaskFloors | null>>()

/** Results of a claim beside the floors of its data, which are measured where the results do not have them; nothing is trained. */
export async function besideFloors(results: Results, { opened }: PlannedClaim): Promise<Results> {
  const open = new Map([...opened.values()].map((each) => [each.name, each]))
  const floors = new Map<string, StudyFloors>()
  for (const { study, floors: stored } of results.studies) {
    const own = open.get(study)
    if (own) floors.set(study, stored?.version === FLOORS_VERSION ? stored : await floorsOf(own))
  }
  const variantsOf = ({ study, of }: PartResult) => variantsOfPart(of, (open.get(study) as OpenStudy).design)
  return withFloors(results, floors, variantsOf)
}

async function floorsOf({ study, metric, variants }: OpenStudy): Promise<StudyFloors> {
  const of: Record<string, ArmFloor> = {}
  const meaning = metricMeaning(study, metric, variants) ?? {}
  for (const { name, task, opened } of variants) {
    const key = JSON.stringify([task.task, opened.hash, opened.measured])
    const measured = known.get(key) ?? measureFloors(opened, async () => {})
    known.set(key, measured)
    const models = ((await measured)?.models ?? []).flatMap(({ name, values }) => {
      const value = values[metric]
      return value === undefined ? [] : [{ name, value }]
    })
    const highest = highestFloor(models, meaning)
    if (highest && meaning.better) of[name] = { ...highest, better: meaning.better }
  }
  return { version: FLOORS_VERSION, of }
}
