import type { RunStore } from '../../../engine/host.ts'
import type { RunStart, StoredRun } from '../../../engine/study/types.ts'
import type { TrainEvent } from '../../../engine/train/events.ts'

/** A store of runs in memory, for tests. */
export function memoryRuns(): RunStore & { started: (RunStart & { events: TrainEvent[] })[] } {
  const started: (RunStart & { events: TrainEvent[] })[] = []
  const last = (events: TrainEvent[]) => events.at(-1)?.type
  return {
    started,
    beginRun: async (run) => started.push({ ...run, events: [] }),
    record: async (id, events) => void started[id - 1]?.events.push(...events),
    findDone: async (keys) =>
      started
        .filter(({ key, events }) => keys.includes(key) && last(events) === 'done')
        .map((run) => ({ ...run, id: started.indexOf(run) + 1, status: 'done', metrics: {} }) as unknown as StoredRun),
  }
}
