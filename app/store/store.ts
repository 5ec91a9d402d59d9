import type { Implementation } from '../../engine/call.ts'
import type { hostCalls } from '../../engine/host.ts'
import { type Bound, bind } from '../bind.ts'
import { allowedPaths, allowPath } from './allowed.ts'
import { recordExport } from './exports.ts'
import { type Objects, openObjects } from './objects.ts'
import { openDatabase } from './open.ts'
import { moveRuns } from './origin.ts'
import { keepOutcomes } from './outcomes.ts'
import { moveOutputs, writeOutput } from './outputs.ts'
import type { StoreParts } from './parts.ts'
import { questions } from './readers/questions.ts'
import { keepReadout, showReadouts } from './readouts.ts'
import { record, recordTogether } from './record.ts'
import { changeBackend } from './runs/changeBackend.ts'
import { keepDesign, recordDesign } from './runs/designs.ts'
import { closeFamily } from './runs/ledger.ts'
import { archiveRuns, doubtRuns, noteRun, pinBaseline, tagRuns } from './runs/marks.ts'
import { trainAgain } from './runs/trainAgain.ts'
import { keepWall, removeWall, renameWall } from './runs/walls.ts'
import { stopRuns } from './training/admit.ts'
import { beginRun } from './training/begin.ts'
import { latestAttempts } from './training/latest.ts'
import { openOwners } from './training/owners.ts'
import { endStarted, freeStarted, keepStarted, listStarted, moveStarted, takeStarted } from './training/started.ts'
import { keepFloors } from './training/taskFloors.ts'

/** The calls of the host that the store answers, each a function of the open store. */
const calls = {
  ...questions,
  ...{ beginRun, record, stopRuns, recordDesign, keepDesign, closeFamily, doubtRuns },
  ...{ showReadouts, keepReadout, keepOutcomes, recordExport, keepFloors },
  ...{ tagRuns, noteRun, archiveRuns, pinBaseline, trainAgain, changeBackend },
  ...{ keepWall, renameWall, removeWall },
  ...{ writeOutput, keepStarted, takeStarted, freeStarted, endStarted },
} satisfies Partial<Implementation<typeof hostCalls, [StoreParts]>>

/** What the host does of its own accord. */
const inner = {
  recordTogether,
  listStarted,
  moveStarted,
  moveOutputs,
  moveRuns,
  allowedPaths,
  allowPath,
  latestAttempts,
}

/** The store of a workspace. What `Host` has too does what is said there, at once instead of in a promise. */
export interface Store extends Bound<typeof calls>, Bound<typeof inner> {
  /** The texts of the statements prepared so far. */
  statements(): string[]
  /** Ends the runs whose process died as interrupted, which is done before every call, too. */
  interruptOrphans(): void
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
    interruptOrphans: owners.interruptOrphans,
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
