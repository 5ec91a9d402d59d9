import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Description } from '../../../engine/export/description.ts'
import type { ExportProgress } from '../../../engine/export/progress.ts'
import type { ExportRecord } from '../../../engine/records/exports.ts'
import { cancelExport, exportRuns } from '../../../renderer/export/queue.ts'
import { type ExportChoice, useExports } from '../../../renderer/export/state.ts'
import type { Exporter } from '../../../renderer/export/worker.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import { useNotices } from '../../../renderer/ui/notices.ts'

const world = vi.hoisted(() => ({
  saved: [] as string[],
  /** The weights that were written, and which they were said to be. */
  taken: [] as unknown[],
  /** Whether the user keeps what is saved. */
  keeps: true,
  starts: true,
  workers: [] as { ended: boolean; written: string[]; progress(progress: ExportProgress): void }[],
  /** What the worker does for a run. */
  write: async (_name: string): Promise<void> => {},
}))

vi.mock('../../../renderer/host/saveBytes.ts', () => ({
  saveBytes: async (name: string) => {
    if (world.keeps) world.saved.push(name)
    return world.keeps
  },
}))

vi.mock('../../../renderer/export/worker.ts', () => ({
  startExporter: (progress: (progress: ExportProgress) => void): Exporter => {
    if (!world.starts) throw new Error('no worker')
    const own = { ended: false, written: [] as string[], progress }
    world.workers.push(own)
    const ended = Promise.withResolvers<never>()
    ended.promise.catch(() => {})
    return {
      write: async (_run, weights, { name, format, chosen }) => {
        world.taken.push([new TextDecoder().decode(weights), chosen])
        await Promise.race([world.write(name), ended.promise])
        own.written.push(name)
        const proof = { examples: 64, difference: 1e-7 }
        const record: ExportRecord = { format, sha256: name, weights: 'last', folded: false, toeplitz: false, ...proof }
        return {
          ...{ description: {} as Description, proof, training: null, record },
          ...{ snippets: { python: [], javascript: [] }, warnings: [] },
        }
      },
      take: async (several) => ({
        name: own.written.length > 1 ? `${several}.zip` : `${own.written[0]}`,
        bytes: new Uint8Array(),
      }),
      end: (reason) => {
        own.ended = true
        ended.reject(new Error(reason))
      },
    }
  },
}))

const recorded: number[] = []
const host = {
  showRun: async (id: string) => ({ id: Number(id), metrics: { 'chosen/step': { last: 2 } } }),
  listWeights: async () => [
    { which: 'best', step: 2 },
    { which: 'last', step: 4 },
  ],
  readWeights: async (id: number, which: string) => {
    if (id === 9) throw new Error('run 9: has no weights')
    return new TextEncoder().encode(which)
  },
  recordExport: async (id: number) => void recorded.push(id),
}

beforeEach(() => {
  Object.assign(world, { saved: [], taken: [], keeps: true, starts: true, workers: [], write: async () => {} })
  recorded.length = 0
  useExports.setState({ exports: [] })
  useConnection.setState({ host: host as never })
})

const choice: ExportChoice = { format: 'onnx', which: 'tested', fold: false, toeplitz: false, card: false }
const run = (id: number, variant = `v${id}`) => ({ id, study: 's', variant, seed: 1 })
const newest = () => useExports.getState().exports[0]

describe('an export', () => {
  it('is saved, and its proof kept with each run', async () => {
    await exportRuns([run(1), run(2)], choice)
    expect(world.saved).toEqual(['s-2-runs.zip'])
    expect(recorded).toEqual([1, 2])
    expect(newest()).toMatchObject({ phase: 'saved', file: 's-2-runs.zip' })
    expect(world.workers.map(({ ended }) => ended)).toEqual([true])
  })
  it('has the weights of the test, or those that the user chose', async () => {
    await exportRuns([run(1)], choice)
    await exportRuns([run(1)], { ...choice, which: 'last' })
    expect(world.taken).toEqual([
      ['best', { which: 'best', step: 2, testedAt: 2 }],
      ['last', { which: 'last', step: 4, testedAt: 2 }],
    ])
    await exportRuns([run(1)], { ...choice, which: 3 })
    expect(newest()).toMatchObject({
      phase: 'failed',
      runs: [{ error: 'run 1: has no weights of step 3 (kept: best, of step 2; last, of step 4)' }],
    })
  })
  it('says how far its run is', async () => {
    const seen: unknown[] = []
    world.write = async () => {
      world.workers[0]?.progress({ at: 'proof', proof: { examples: 24, difference: 0 } })
      seen.push(newest()?.runs.map(({ progress }) => progress?.at))
    }
    await exportRuns([run(1), run(2)], choice)
    expect(seen).toEqual([
      ['proof', undefined],
      [undefined, 'proof'],
    ])
  })
  it('goes on without a run that cannot be written, and says why', async () => {
    await exportRuns([run(9), run(1)], choice)
    expect(newest()).toMatchObject({ phase: 'saved', runs: [{ error: 'run 9: has no weights' }, { error: null }] })
    expect(recorded).toEqual([1])
  })
  it('saves nothing where no run can be written', async () => {
    world.write = async () => {
      throw new Error(
        'run 1: not written: a logit of the onnx file differs from that of the model by 2.0e-4 on 64 examples',
      )
    }
    await exportRuns([run(1)], choice)
    expect(newest()).toMatchObject({ phase: 'failed', runs: [{ error: expect.stringContaining('differs') }] })
    expect([world.saved, recorded, world.workers[0]?.ended]).toEqual([[], [], true])
  })
  it('is saved also where its proof cannot be kept', async () => {
    useConnection.setState({ host: { ...host, recordExport: () => Promise.reject(new Error('lost')) } as never })
    await exportRuns([run(1)], choice)
    expect([newest()?.phase, world.saved]).toEqual(['saved', ['s-v1-seed1']])
    expect(useNotices.getState().notice?.text).toBe('s-v1-seed1 was saved, but its proof was not kept: lost.')
  })
  it('is told not to have begun where no worker starts, and the next one is made', async () => {
    world.starts = false
    await exportRuns([run(1)], choice)
    expect([newest()?.phase, useNotices.getState().notice?.text]).toEqual(['failed', 'Nothing was exported: no worker'])
    world.starts = true
    await exportRuns([run(2)], choice)
    expect(world.saved).toEqual(['s-v2-seed1'])
  })
  it('keeps no proof where the user does not keep the file', async () => {
    world.keeps = false
    await exportRuns([run(1)], choice)
    expect([newest()?.phase, recorded]).toEqual(['cancelled', []])
  })
})

describe('several exports', () => {
  it('are made one after the other, each by a worker of its own', async () => {
    const at: string[] = []
    world.write = async (name) => {
      at.push(`${name} begins`)
      await Promise.resolve()
      at.push(`${name} ends`)
    }
    await Promise.all([exportRuns([run(1)], choice), exportRuns([run(2)], choice)])
    expect(at).toEqual(['s-v1-seed1 begins', 's-v1-seed1 ends', 's-v2-seed1 begins', 's-v2-seed1 ends'])
    expect(world.saved).toEqual(['s-v1-seed1', 's-v2-seed1'])
    expect(world.workers).toHaveLength(2)
  })
  it('are cancelled alone, at work or before', async () => {
    const begun = Promise.withResolvers<void>()
    world.write = (name) => {
      begun.resolve()
      return name === 's-v1-seed1' ? new Promise(() => {}) : Promise.resolve()
    }
    const first = exportRuns([run(1)], choice)
    const second = exportRuns([run(2)], choice)
    const third = exportRuns([run(3)], choice)
    await begun.promise
    const [, waiting, working] = useExports.getState().exports
    cancelExport(working?.id ?? 0)
    cancelExport(waiting?.id ?? 0)
    await Promise.all([first, second, third])
    expect(useExports.getState().exports.map(({ phase }) => phase)).toEqual(['saved', 'cancelled', 'cancelled'])
    expect([world.saved, recorded]).toEqual([['s-v3-seed1'], [3]])
  })
  it('are remembered, the last ten of those that have ended', async () => {
    for (let id = 10; id < 24; id++) await exportRuns([run(id)], choice)
    expect(useExports.getState().exports).toHaveLength(11)
  })
})
