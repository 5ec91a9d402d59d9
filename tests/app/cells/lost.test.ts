import { describe, expect, it } from 'vitest'
import { retryOnDeviceLoss } from '../../../app/cells/deviceLoss.ts'
import { restartOnExit } from '../../../app/cells/restartOnExit.ts'
import type { BackendInfo, BackendName } from '../../../engine/backends/types.ts'
import { LostDevice } from '../../../engine/errors.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'

describe('a card that is lost', () => {
  const info = (name: BackendName): BackendInfo => ({ name, device: `the ${name}` })
  const first = { backend: info('webgpu'), candidates: [], move: false }
  const goesOn = (name: BackendName) =>
    `the graphics card was lost: it fell out; training continues on ${name}, from the last checkpoint`

  it.each<[what: string, losses: number, starts: boolean, on: string[], said: BackendName[]]>([
    ['trains once where nothing is lost', 0, true, ['webgpu false'], []],
    ['goes on on the card after one loss', 1, true, ['webgpu false', 'webgpu false'], ['webgpu']],
    [
      'goes on on the processor after two, where runs continue that began on the card',
      2,
      true,
      ['webgpu false', 'webgpu false', 'simd true'],
      ['webgpu', 'simd'],
    ],
    ['goes on on the processor where it does not start again', 1, false, ['webgpu false', 'simd true'], ['simd']],
  ])('%s', async (_, losses, starts, on, said) => {
    const [trainedOn, lines]: [string[], string[]] = [[], []]
    const start = async (name: BackendName) => {
      if (name === 'webgpu' && !starts) throw new Error('none')
      return info(name)
    }
    const result = await retryOnDeviceLoss(
      first,
      start,
      (line) => lines.push(line),
      async ({ backend, move }, before) => {
        trainedOn.push(`${backend.name} ${move}`)
        if (before < losses) throw new LostDevice('it fell out')
        return before
      },
    )
    expect([trainedOn, result]).toEqual([on, losses])
    expect(lines).toEqual(said.map(goesOn))
  })

  it('is not what other errors are, which are passed on', async () => {
    const fails = () => Promise.reject(new Error('no data'))
    const wrong = retryOnDeviceLoss(
      first,
      async (name) => info(name),
      () => {},
      fails,
    )
    await expect(wrong).rejects.toThrow('no data')
  })
})

describe('a study whose process ends', () => {
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
})
