import { describe, expect, it } from 'vitest'
import { restartOnExit } from '../../../app/cells/restartOnExit.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'

const of = (key: string, event: TrainEvent): StudyEvent => ({ type: 'run', key, id: 1, event, ms: 7 })
const begin = (key: string): StudyEvent => ({ type: 'begin', key, id: 1, backend: 'simd' })
const saved: TrainEvent = { type: 'checkpoint', step: 20, weights: new Uint8Array() }
const end: StudyEvent = { type: 'end', trained: 1, cached: 0, failed: 0, interrupted: false }

/** What comes of processes of which each says such events and then ends; the last one ends well. */
async function trained(processes: StudyEvent[][], why: (turn: number) => string | null = () => 'SIGKILL') {
  const failed: string[][] = []
  const recorded: unknown[] = []
  const events: StudyEvent[] = []
  let turn = 0
  const study = {
    async *train(gone: string[]) {
      failed.push([...gone])
      yield* processes[turn] ?? []
      if (turn < processes.length - 1) throw new Error('closed')
    },
    ended: () => why(turn),
    restart: async () => void turn++,
  }
  const record = async (...given: unknown[]) => {
    recorded.push(given)
    return { ms: 0, stop: false }
  }
  let error: unknown = null
  try {
    for await (const event of restartOnExit(study, { record })) events.push(event)
  } catch (thrown) {
    error = thrown
  }
  return { events, failed, recorded, error, turns: turn + 1 }
}

describe('a study whose process ends', () => {
  it('goes on in another one, and says so', async () => {
    const { events, error } = await trained([[begin('a')], [begin('a'), of('a', { type: 'done', step: 9 }), end]])
    expect(error).toBeNull()
    const message = 'the process that trains ended: SIGKILL; another one continues from the last checkpoint'
    expect(events).toContainEqual({ type: 'warning', message })
    expect(events.at(-1)).toEqual(end)
  })

  it('gives up a run whose process ended three times without a checkpoint, and trains the others', async () => {
    const lost = [begin('a')]
    const { events, failed, recorded, error } = await trained([lost, [...lost, of('a', saved)], lost, lost, [end]])
    expect(error).toBeNull()
    expect(failed.at(-1)).toEqual(['a'])
    const message = expect.stringMatching(/^lost its process 3 times.*: SIGKILL; probably out of memory/)
    expect(recorded).toEqual([[1, [{ type: 'failed', step: 20, message }]]])
    expect(events).toContainEqual(of('a', { type: 'failed', step: 20, message }))
  })

  it('does not blame a run that the process had not begun again, and ends where none is begun', async () => {
    const { error, recorded, turns } = await trained([[begin('a')], [], [], [], [end]])
    expect([String(error), recorded, turns]).toEqual([expect.stringContaining('lost its process 3 times'), [], 4])
  })

  it('throws what is no end of a process', async () => {
    expect((await trained([[], [end]], () => null)).error).toEqual(new Error('closed'))
  })

  it('counts what an earlier process has trained as trained', async () => {
    const plan = (done: object | null) => ({ type: 'plan', runs: [{ key: 'a', done }] }) as unknown as StudyEvent
    const stored = { ...end, trained: 0, cached: 1 } as StudyEvent
    const { events } = await trained([
      [plan(null), begin('a')],
      [plan({}), stored],
    ])
    expect(events.at(-1)).toEqual(end)
  })
})
