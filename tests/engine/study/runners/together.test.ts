import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { GpuUsage } from '../../../../engine/bench/countingDevice.ts'
import type { FileSource } from '../../../../engine/data/files.ts'
import { add, block, compare, dense, image, mixer, shapes } from '../../../../engine/index.ts'
import type { PlannedRun, StudyEvent } from '../../../../engine/records/run.ts'
import { measureTogether, togetherText } from '../../../../engine/study/backends/together.ts'
import { executeStudy } from '../../../../engine/study/execute.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import type { OpenStudy } from '../../../../engine/study/opened.ts'
import type { Place } from '../../../../engine/study/runners/runner.ts'
import { takeSeeds, trainTogether } from '../../../../engine/study/runners/together.ts'
import { leaveCard, noCard, useNullCard } from '../../backends/webgpu/cards.ts'
import { memoryRuns } from '../memory-runs.ts'

leaveCard()

const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))
const files: FileSource = {
  list: () => Promise.reject(new Error('none')),
  read: () => Promise.reject(new Error('none')),
}
const study = () => {
  const task = image({ data: shapes({ train: 16, test: 8 }) })
  const train = { steps: 4, batch: 8 }
  return compare('s', {
    task,
    model: { patch: 16, dim: 8, depth: 1 },
    train,
    seeds: 3,
    variants: { plain, mixer: mixer() },
  })
}
const opened = () => openStudy(study(), {}, files)
const ofPlain = ({ planned }: OpenStudy) => planned.filter(({ variant }) => variant === 'plain')

describe('seeds of a variant', () => {
  it('are taken from those that wait, in their order', async () => {
    const waiting = [...(await opened()).planned]
    const names = (runs: PlannedRun[]) => runs.map(({ variant, seed }) => `${variant} ${seed}`)
    expect(names(takeSeeds(waiting, 'mixer', 2))).toEqual(['mixer 1', 'mixer 2'])
    expect(names(waiting)).toEqual(['plain 1', 'plain 2', 'plain 3', 'mixer 3'])
    expect(takeSeeds(waiting, 'plain', 0)).toEqual([])
  })

  it.each([
    [5, 3, '3 seeds are trained at once: one seed 2.0 ms, each of 3 at once 1.7 ms a step'],
    [5.7, 1, 'one seed is trained at a time: one seed 2.0 ms, each of 3 at once 1.9 ms a step'],
  ])('are trained at once where a seed takes less then: %d ms a step against 2', async (ms, seeds, said) => {
    const found = await measureTogether(await opened(), 3, async (_, count) => (count === 3 ? ms : 2))
    expect(found.seeds).toBe(seeds)
    expect(togetherText(found)).toBe(said)
  })

  it('are trained one after the other where they cannot be timed', async () => {
    const found = await measureTogether(await opened(), 3, async (_, count) => {
      if (count === 3) throw new Error('has no room')
      return 2
    })
    expect(found).toEqual({ seeds: 1, timed: 'one seed 2.0 ms a step' })
  })
})

describe.skipIf(noCard)(`runs on a card that computes nothing ${noCard}`, () => {
  let asked: GpuUsage
  beforeAll(async () => {
    asked = (await useNullCard()).asked
  })

  /** The last event of each run by its seed, one of which another process trains. */
  async function endings(open: OpenStudy, elsewhere = 0): Promise<Record<number, string>> {
    const last: Record<number, string> = {}
    async function* trainOne(run: PlannedRun, place: Place): AsyncGenerator<StudyEvent> {
      if (run.seed === elsewhere) {
        yield { type: 'elsewhere', key: run.key }
        return
      }
      const attempt = await place.attempt(run)
      for await (const event of attempt?.events(run.seed, 0) ?? []) {
        last[run.seed] = event.type === 'failed' ? event.message : event.type
        yield { type: 'run', key: run.key, id: run.seed, event, ms: 0 }
      }
    }
    for await (const _ of trainTogether(ofPlain(open), open, { runs: memoryRuns() }, trainOne));
    return last
  }

  it('each end by themselves', async () => {
    expect(await endings(await opened())).toEqual({ 1: 'done', 2: 'done', 3: 'done' })
  })

  it('wait for none that another process trains', async () => {
    expect(await endings(await opened(), 1)).toEqual({ 2: 'done', 3: 'done' })
  })

  it('go on without one that fails', async () => {
    const open = await opened()
    const variants = open.variants.map((variant) => {
      const { trainBatches } = variant.opened
      async function* failing(...given: Parameters<typeof trainBatches>): ReturnType<typeof trainBatches> {
        let left = given[1] === 2 ? 2 : 10
        for await (const batch of trainBatches.apply(variant.opened, given)) {
          if (left-- > 0) yield batch
          else {
            tf.dispose(batch)
            throw new Error('cannot be read')
          }
        }
      }
      return { ...variant, opened: { ...variant.opened, trainBatches: failing } }
    })
    expect(await endings({ ...open, variants })).toEqual({ 1: 'done', 2: 'cannot be read', 3: 'done' })
  })

  it('are recorded each by itself, and those that are there are not trained again', async () => {
    const runs = memoryRuns()
    const train = async () => {
      const environment = { runs, files, backend: { name: 'webgpu', device: 'test' } as const, seedsAtOnce: 3 }
      const all: StudyEvent[] = []
      for await (const event of executeStudy(study(), environment)) all.push(event)
      return all
    }
    const events = await train()
    expect(events.at(-1)).toEqual({ type: 'end', trained: 6, cached: 0, failed: 0, interrupted: false })
    expect(
      events.filter((event) => event.type === 'warning' && /trained at (once|a time)/.test(event.message)),
    ).toHaveLength(1)
    expect(runs.started.map(({ events }) => events.at(-1)?.type)).toEqual(Array(6).fill('done'))
    const { dispatches } = asked
    expect((await train()).at(-1)).toMatchObject({ trained: 0, cached: 6 })
    expect(asked.dispatches).toBe(dispatches)
  })
})
