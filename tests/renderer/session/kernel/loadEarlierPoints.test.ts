import { expect, it } from 'vitest'
import type { Host } from '../../../../engine/host.ts'
import type { TrainEvent } from '../../../../engine/records/events.ts'
import type { StudyEvent } from '../../../../engine/records/run.ts'
import { useConnection } from '../../../../renderer/host/state.ts'
import type { StudyView } from '../../../../renderer/protocol/study.ts'
import { loadEarlierPoints } from '../../../../renderer/session/kernel/loadEarlierPoints.ts'
import { keepPoints } from '../../../../renderer/session/kernel/points.ts'
import { runView, studyView } from '../../study/studies.ts'

const run = (event: TrainEvent): StudyEvent => ({ type: 'run', key: 'k1', id: 1, event, ms: 0 })
const start = (resumedAt: number): TrainEvent => ({ type: 'start', steps: 20, parameters: 1, resumedAt })
const metric = 'test/accuracy'

it('completes runs that go on by what the store has of them, and asks for nothing else', async () => {
  const asked: unknown[] = []
  const { metrics } = runView(1, 'a', 1, 0.5)
  const stored = { id: 1, key: 'k1', startedAt: 1000, endedAt: 3000, hasWeights: true, metrics }
  const listRuns = async (filter: unknown) => {
    asked.push(filter)
    return [stored]
  }
  useConnection.setState({ host: { listRuns } as unknown as Host })
  let view: StudyView = { ...studyView({ a: [] }), runs: [runView(1, 'a', 1, 0, { metrics: {}, ms: 0 })] }
  const change = (to: (study: StudyView) => StudyView) => {
    view = to(view)
  }

  const begin: StudyEvent = { type: 'begin', key: 'k1', id: 1, backend: 'cpu' }
  await loadEarlierPoints([begin, run(start(0)), run({ type: 'step', step: 1, ms: 1 })], change)
  expect(asked).toEqual([])

  const events = [run(start(20)), run({ type: 'metric', name: metric, step: 21, value: 0.9 })]
  keepPoints(events)
  await loadEarlierPoints(events, change)
  expect(asked).toEqual([{ keys: ['k1'] }])
  expect(view.runs[0]).toMatchObject({ metrics: { [metric]: { last: 0.9, best: 0.9, count: 3, min: 0 } } })
})
