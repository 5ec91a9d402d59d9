import type { Implementation } from '../../../engine/call.ts'
import type { hostCalls } from '../../../engine/host.ts'
import { listExports } from '../exports.ts'
import { listHistograms, readHistograms, readNorms } from '../histograms.ts'
import { findDone, findResumable, listRuns, lookAt } from '../list.ts'
import { readOutcomes } from '../outcomes.ts'
import { readOutputs } from '../outputs.ts'
import type { ReadParts } from '../parts.ts'
import { readBands } from '../points/bands.ts'
import { readSeries } from '../points/series.ts'
import { readReport } from '../report.ts'
import { alikeRuns } from '../runs/alike.ts'
import { readCurves } from '../runs/curves.ts'
import { designsOf, earlierDesigns } from '../runs/designs.ts'
import { differingOptions } from '../runs/differing.ts'
import { runFields } from '../runs/fields.ts'
import { groupRuns } from '../runs/group.ts'
import { listFamilies, standingOf } from '../runs/ledger.ts'
import { baselines } from '../runs/marks.ts'
import { queryRuns } from '../runs/query.ts'
import { listWalls } from '../runs/walls.ts'
import { showRun, showRuns } from '../show.ts'
import { findFloors } from '../training/taskFloors.ts'
import { listWeights, readState, readWeights } from '../weights.ts'

/** The calls of the host that ask the store and change nothing, each a function of what it reads. */
export const questions = {
  ...{ findDone, findResumable, findFloors, lookAt, listRuns, queryRuns, groupRuns, runFields, differingOptions },
  ...{ showRun, showRuns, earlierDesigns, designsOf, alikeRuns, baselines, listWalls },
  ...{ standingOf, listFamilies },
  ...{ readState, readWeights, listWeights, listExports },
  ...{ readSeries, readBands, readCurves, readReport, readOutcomes, readOutputs },
  ...{ listHistograms, readHistograms, readNorms },
} satisfies Partial<Implementation<typeof hostCalls, [ReadParts]>>

export type QuestionName = keyof typeof questions

/** Whether a call of the host is a question to the store. */
export function isQuestion(name: string): name is QuestionName {
  return Object.hasOwn(questions, name)
}
