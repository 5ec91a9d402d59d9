import type { PlannedRun, StudyEvent } from '../../records/run.ts'
import { createLanes, type LaneInTurns } from '../../train/steps/lockstep.ts'
import { interleave } from '../interleave.ts'
import type { OpenStudy } from '../opened.ts'
import { type RunEnvironment, trainRun } from '../trainRun.ts'
import { type Place, placeFrom } from './runner.ts'

/** Removes the first waiting runs of a variant, at most so many, and returns them. */
export function takeSeeds(waiting: PlannedRun[], variant: string, most: number): PlannedRun[] {
  const taken = waiting.filter((run) => run.variant === variant).slice(0, most)
  for (const run of taken) waiting.splice(waiting.indexOf(run), 1)
  return taken
}

/**
 * Trains runs that differ by their seed alone, whose steps are those of one program where the backend can. `trainOne` trains a run at a
 * place and records it: each has attempts, checkpoints and an end of its own.
 */
export function trainTogether(
  runs: PlannedRun[],
  open: OpenStudy,
  environment: RunEnvironment,
  trainOne: (run: PlannedRun, place: Place) => AsyncGenerator<StudyEvent>,
): AsyncGenerator<StudyEvent> {
  async function* train(run: PlannedRun, lane: LaneInTurns): AsyncGenerator<StudyEvent> {
    const place = placeFrom((run, id) => lane.inTurns(trainRun(run, id, open, { ...environment, lane })))
    try {
      yield* trainOne(run, place)
    } finally {
      lane.leave() // also where another process trains the run
    }
  }
  const lanes = createLanes(runs.length)
  return interleave(runs.map((run, i) => train(run, lanes[i] as LaneInTurns)))
}
