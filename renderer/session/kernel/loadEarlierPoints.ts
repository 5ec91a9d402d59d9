import { host } from '../../host/state.ts'
import type { SentEvent } from '../../protocol/runPoints.ts'
import { continued, type StudyView } from '../../protocol/study.ts'
import { pointsAfter } from './points.ts'

/** Loads from the store the earlier points of runs that, by these events, have just resumed from a checkpoint. */
export async function loadEarlierPoints(
  events: SentEvent[],
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
