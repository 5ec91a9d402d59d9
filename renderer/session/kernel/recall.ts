import type { StudyEvent } from '../../../engine/records/run.ts'
import { host } from '../../host/state.ts'
import { continued, type StudyView } from '../../protocol/study.ts'
import { pointsAfter } from './points.ts'

/** Runs among events that have just gone on from a checkpoint are completed by what the store has from before. */
export async function recall(
  events: StudyEvent[],
  change: (to: (study: StudyView) => StudyView) => void,
): Promise<void> {
  const keys = events.flatMap((event) =>
    event.type === 'run' && event.event.type === 'start' && event.event.resumedAt ? [event.key] : [],
  )
  if (keys.length === 0) return
  const stored = await host().listRuns({ keys })
  change((study) =>
    stored.reduce((view, run) => continued(view, run, (name, step) => pointsAfter(run.id, name, step)), study),
  )
}
