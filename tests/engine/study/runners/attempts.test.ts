import { expect, it } from 'vitest'
import { LostPlace, MixlabError } from '../../../../engine/errors.ts'
import { add, block, compare, dense, image, shapes } from '../../../../engine/index.ts'
import type { RecordedEvent, TrainEvent } from '../../../../engine/records/events.ts'
import type { BegunRun, Recorder, RunStart, StudyEvent } from '../../../../engine/records/run.ts'
import { executeStudy } from '../../../../engine/study/execute.ts'
import type { Attempt, Place } from '../../../../engine/study/runners/runner.ts'
import { memoryRuns } from '../memory-runs.ts'

const none = () => Promise.reject(new Error('none'))
const files = { list: none, read: none }
const backend = { name: 'cpu', device: 'here' } as const
const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))
const study = compare('s', {
  ...{ task: image({ data: shapes({ train: 16, test: 8 }) }), model: { patch: 16, dim: 8, depth: 1 } },
  ...{ train: { steps: 3, batch: 8 }, seeds: 1, variants: { plain } },
})
const start: TrainEvent = { type: 'start', steps: 3, parameters: 1 }
const done: TrainEvent = { type: 'done', step: 3 }

/** Executes the study at a place elsewhere that makes such attempts; what the store was asked, and what is shown. */
async function execute(attempts: Attempt[], begin: (run: RunStart) => BegunRun | null) {
  const runs = memoryRuns()
  const begun: RunStart[] = []
  const recorded: [types: string[], by: Recorder | undefined][] = []
  const own = {
    ...runs,
    beginRun: async (run: RunStart) => {
      begun.push(run)
      runs.started.push({ ...run, events: [] })
      return begin(run)
    },
    record: async (_: number, events: RecordedEvent[], by?: Recorder) => {
      recorded.push([events.map(({ type }) => type), by])
      return { ms: 0, stop: false }
    },
  }
  const place: Place = { attempt: async () => attempts.shift() ?? null }
  const shown: StudyEvent[] = []
  const environment = { runs: own, files, backend, runner: { places: async () => [place] } }
  for await (const event of executeStudy(study, environment)) shown.push(event)
  return { begun, recorded, shown }
}

it('records attempts that others number and train under their number, with what trained them and how far they are', async () => {
  const on = { backend: 'simd', device: 'a machine elsewhere' }
  const asked: number[][] = []
  const lost = async function* (): AsyncGenerator<TrainEvent> {
    yield start
    throw new LostPlace('silent')
  }
  const ends = async function* (...given: number[]): AsyncGenerator<TrainEvent> {
    asked.push(given)
    yield done
  }
  const { begun, recorded, shown } = await execute(
    [
      { number: 2, on, events: lost },
      { number: 5, on, events: ends },
    ],
    ({ attempt = 0 }) => ({ id: 7, epoch: attempt, ...(attempt === 5 && { after: 40 }) }),
  )
  expect(begun).toMatchObject([
    { ...on, attempt: 2 },
    { ...on, attempt: 5 },
  ])
  expect(asked).toEqual([[7, 40]])
  expect(recorded).toEqual([
    [['start'], { epoch: 2, batch: 1 }],
    [['warning'], { epoch: 2, batch: 2 }],
    [['interrupted'], { epoch: 2, batch: 3 }],
    [['done'], { epoch: 5, batch: 41 }],
  ])
  expect(shown.filter(({ type }) => type === 'begin')).toHaveLength(2)
  expect(shown.at(-1)).toMatchObject({ type: 'end', trained: 1, failed: 0 })
})

it('leaves a run to others where the number of its attempt is refused', async () => {
  let refused = 0
  const events = async function* (): AsyncGenerator<TrainEvent> {
    yield done
  }
  const { shown } = await execute([{ number: 1, events }, { events }], ({ attempt }) => {
    if (attempt === undefined) return { id: 1, epoch: 3 }
    refused += 1
    throw new MixlabError('owner', 'run 1', 'attempt 1 is too late, 2 has taken it up')
  })
  expect(refused).toBe(1)
  expect(shown.filter(({ type }) => type === 'elsewhere')).toHaveLength(1)
  expect(shown.at(-1)).toMatchObject({ trained: 1 }) // nobody else had it when it was looked for
})
