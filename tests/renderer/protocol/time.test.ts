import { afterEach, expect, it, vi } from 'vitest'
import { type LocalHost, openHost } from '../../../app/host.ts'
import { add, block, compare, dense, image, shapes } from '../../../engine/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { placeFrom } from '../../../engine/study/runners/runner.ts'
import { reconcile, reduceStudy, type StudyView } from '../../../renderer/protocol/study.ts'
import { freshFolder } from '../../app/store/samples.ts'

const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))
const study = compare('s', {
  ...{ task: image({ data: shapes({ train: 16, test: 8 }) }), model: { patch: 16, dim: 8, depth: 1 } },
  ...{ train: { steps: 4, batch: 8 }, seeds: 1, variants: { plain } },
})
const backend = { name: 'cpu', device: 'test' } as const
const SECOND = 1000
let clock = Date.UTC(2026, 0, 1)
afterEach(() => void vi.restoreAllMocks())

/** Trains by a trainer that yields such events, each so many ms after the last one; what the page then shows. */
async function shownAfter(host: LocalHost, events: [after: number, event: TrainEvent][]): Promise<StudyView> {
  async function* trainer() {
    for (const [after, event] of events) {
      clock += after
      yield event
    }
  }
  let view: StudyView | null = null
  const environment = { runs: host, files: host, backend, runner: { places: async () => [placeFrom(trainer)] } }
  for await (const event of executeStudy(study, environment)) view = reduceStudy(view, event)
  return view as unknown as StudyView
}

it('shows the time of a run live as after a reload, on its page and in tables, without pauses', async () => {
  vi.spyOn(Date, 'now').mockImplementation(() => clock)
  const host = openHost({ workspace: freshFolder() })
  const everywhere = async (live: StudyView) => {
    const [id = 0] = live.runs.map((run) => run.id)
    const stored = await host.listRuns({})
    const { rows } = await host.queryRuns({ filter: '', sort: [], columns: ['time'], offset: 0, limit: 1 })
    const sql = await host.querySql(`select seconds from runs where id = ${id}`)
    const reloaded = reconcile(live, stored).runs[0]?.ms
    const page = (await host.showRun(`${id}`)).ms
    return [live.runs[0]?.ms, reloaded, page, Number(rows[0]?.values[0]) * SECOND, Number(sql.rows[0]?.[0]) * SECOND]
  }
  const state = new Uint8Array([1])
  const steps = (from: number): [number, TrainEvent][] => [
    [SECOND, { type: 'step', step: from, ms: SECOND }],
    [SECOND, { type: 'step', step: from + 1, ms: SECOND }],
  ]

  const stopped = await shownAfter(host, [
    [3 * SECOND, { type: 'start', steps: 4, parameters: 1 }], // making the model is training, too
    ...steps(1),
    [5 * SECOND, { type: 'metric', step: 2, name: 'eval/accuracy', value: 1 }], // and so is evaluating it
    [0, { type: 'checkpoint', step: 2, weights: state, state }],
    [0, { type: 'interrupted', step: 2 }],
  ])
  expect(await everywhere(stopped)).toEqual(Array(5).fill(10 * SECOND))

  clock += 3600 * SECOND
  const done = await shownAfter(host, [
    [SECOND, { type: 'start', steps: 4, parameters: 1, resumedAt: 2 }],
    ...steps(3),
    [4 * SECOND, { type: 'done', step: 4 }],
  ])
  expect(await everywhere(done)).toEqual(Array(5).fill(17 * SECOND))
  host.close()
})
