import type { TrainEvent } from '../../../engine/records/events.ts'
import type { RunStart, StoredRun } from '../../../engine/records/run.ts'
import type { RunStore } from '../../../engine/records/store.ts'
import { inEvents } from '../records/inEvents.ts'

type Attempt = RunStart & { events: TrainEvent[] }

/** A store of runs in memory, for tests. */
export function memoryRuns(): RunStore & { started: Attempt[] } {
  const started: Attempt[] = []
  const lastOf = ({ events }: Attempt) => events.at(-1)?.type
  const stateOf = ({ events }: Attempt) =>
    events.findLast((event) => event.type === 'checkpoint' && event.state) as
      | Extract<TrainEvent, { type: 'checkpoint' }>
      | undefined
  const interrupted = (wanted: string) =>
    started.findIndex((run) => run.key === wanted && lastOf(run) === 'interrupted')
  return {
    started,
    findResumable: async (keys) =>
      keys.flatMap((key) => {
        const run = started[interrupted(key)]
        const state = run && stateOf(run)
        return state ? [{ key, step: state.step }] : []
      }),
    recordDesign: async () => {},
    earlierDesigns: async () => [],
    standingOf: async () => [],
    doubtRuns: async () => {},
    findFloors: async () => null,
    keepFloors: async () => {},
    readSeries: async () => [],
    showReadouts: async () => [],
    keepReadout: async (_, { value, meaning }) => {
      return { last: value, lastStep: 0, best: value, bestStep: 0, min: value, max: value, count: 1, meaning }
    },
    beginRun: async (run) => ({ id: interrupted(run.key) + 1 || started.push({ ...run, events: [] }), epoch: 1 }),
    lookAt: async () => [],
    readState: async (id) => {
      const run = started[id - 1]
      return (run && stateOf(run)?.state) ?? null
    },
    record: async (id, events) => {
      started[id - 1]?.events.push(...inEvents(events))
      return { ms: 0, stop: false }
    },
    readWeights: async (id, which) => {
      const all = started[id - 1]?.events.flatMap((event) => (event.type === 'checkpoint' ? [event] : [])) ?? []
      const saved = which === 'best' ? all.findLast(({ best }) => best)?.best : all.at(-1)?.weights
      if (!saved) throw new Error(`run ${id} has no weights`)
      return saved
    },
    findDone: async (keys) =>
      started
        .filter((run) => keys.includes(run.key) && lastOf(run) === 'done')
        .map((run) => ({ ...run, id: started.indexOf(run) + 1, status: 'done', metrics: {} }) as unknown as StoredRun),
  }
}
