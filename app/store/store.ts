import type { Implementation } from '../../engine/call.ts'
import type { hostCalls } from '../../engine/host.ts'
import { type Bound, bind } from '../bind.ts'
import { allowedPaths, allowPath } from './allowed.ts'
import { listExports, recordExport } from './exports.ts'
import { listHistograms, readHistograms, readNorms } from './histograms.ts'
import { findDone, findResumable, listRuns, lookAt } from './list.ts'
import { type Objects, openObjects } from './objects.ts'
import { openDatabase } from './open.ts'
import { moveRuns } from './origin.ts'
import { keepOutcomes, readOutcomes } from './outcomes.ts'
import { moveOutputs, readOutputs, writeOutput } from './outputs.ts'
import type { StoreParts } from './parts.ts'
import { readBands } from './points/bands.ts'
import { readSeries } from './points/series.ts'
import { keepReadout, showReadouts } from './readouts.ts'
import { record } from './record.ts'
import { readReport } from './report.ts'
import { alikeRuns } from './runs/alike.ts'
import { changeBackend } from './runs/changeBackend.ts'
import { readCurves } from './runs/curves.ts'
import { designsOf, earlierDesigns, recordDesign } from './runs/designs.ts'
import { runFields } from './runs/fields.ts'
import { groupRuns } from './runs/group.ts'
import { archiveRuns, baselines, doubtRuns, noteRun, pinBaseline, tagRuns } from './runs/marks.ts'
import { queryRuns } from './runs/query.ts'
import { trainAgain } from './runs/trainAgain.ts'
import { keepWall, listWalls, removeWall, renameWall } from './runs/walls.ts'
import { showRun, showRuns } from './show.ts'
import { stopRuns } from './training/admit.ts'
import { beginRun } from './training/begin.ts'
import { latestAttempts } from './training/latest.ts'
import { openOwners } from './training/owners.ts'
import { endStarted, freeStarted, keepStarted, listStarted, moveStarted, takeStarted } from './training/started.ts'
import { listWeights, readState, readWeights } from './weights.ts'

/** The calls of the host that the store answers, each a function of the open store. */
const calls = {
  ...{ findDone, findResumable, lookAt, listRuns, queryRuns, groupRuns, runFields, showRun, showRuns },
  ...{ doubtRuns, recordDesign, earlierDesigns, designsOf, alikeRuns },
  ...{ beginRun, record, stopRuns, readState, readWeights, listWeights },
  ...{ showReadouts, keepReadout },
  ...{ tagRuns, noteRun, archiveRuns, pinBaseline, baselines, trainAgain, changeBackend },
  ...{ readSeries, readBands, readCurves, readReport, readOutcomes, keepOutcomes },
  ...{ listHistograms, readHistograms, readNorms },
  ...{ recordExport, listExports },
  ...{ listWalls, keepWall, renameWall, removeWall },
  ...{ readOutputs, writeOutput, keepStarted, takeStarted, freeStarted, endStarted },
} satisfies Partial<Implementation<typeof hostCalls, [StoreParts]>>

/** What the host does of its own accord. */
const inner = { listStarted, moveStarted, moveOutputs, moveRuns, allowedPaths, allowPath, latestAttempts }

/** The store of a workspace. What `Host` has too does what is said there, at once instead of in a promise. */
export interface Store extends Bound<typeof calls>, Bound<typeof inner> {
  /** The texts of the statements prepared so far. */
  statements(): string[]
  /** Ends the runs begun here that are still in training as interrupted. */
  close(): void
}

/** The database file, and folders that exist. */
export interface StorePaths {
  database: string
  objects: string
  owners: string
}

/**
 * Opens a store, with its objects where others keep them, if that is wanted. Runs whose process died are interrupted from
 * then on. Throws MixlabError `store`.
 */
export function openStore(paths: StorePaths, objects: Objects = openObjects(paths.objects)): Store {
  const database = openDatabase(paths.database)
  const owners = openOwners(database, paths.owners)
  const parts = { ...database, objects, owners }
  try {
    owners.interruptOrphans()
  } catch (error) {
    database.close()
    throw error
  }
  let open = true
  return {
    ...bind(calls, parts, owners.interruptOrphans),
    ...bind(inner, parts),
    statements: database.statements,
    close() {
      if (!open) return
      open = false
      try {
        owners.interruptOwn()
      } finally {
        database.close()
        owners.release()
      }
    },
  }
}
