import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as tf from '@tensorflow/tfjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { candidatesHere, cardNote, chooseCard, lossOf, useBackend as startBackend } from '../../app/backends.ts'
import { retryOnDeviceLoss, type TrainedOn } from '../../app/cells/deviceLoss.ts'
import { hasCard } from '../../app/machine.ts'
import type { Gpu } from '../../engine/backends/webgpu/card.ts'
import { compare, gmlp, image, shapes } from '../../engine/index.ts'
import type { Study } from '../../engine/study/compare.ts'
import { executeStudy } from '../../engine/study/execute.ts'
import { noCard } from '../engine/backends/webgpu/cards.ts'
import { type FakeCard, fakeGpu, type Happened } from '../engine/backends/webgpu/fakes.ts'
import { memoryFiles } from '../engine/data/memory-files.ts'
import { memoryRuns } from '../engine/study/memory-runs.ts'
import { sample } from '../long.ts'
import { freshFolder } from './store/samples.ts'

// Cards as people have them, each with a fault of its own, up to the end of a run.

let cards: FakeCard[] = []
let happened: Happened

vi.mock('webgpu', async (load) => {
  const dawn = await load<{ create(flags: string[]): Gpu; globals: object }>()
  const create = (flags: string[]) => {
    if (flags.includes('backend=null')) return dawn.create(flags)
    const wanted = flags.find((flag) => flag.startsWith('adapter='))?.slice('adapter='.length)
    const found = cards.filter(({ name }) => wanted === undefined || name.includes(wanted))
    const listed = cards.map(({ name }) => ` * backend: 'vulkan', name: '${name}'`)
    if (found.length > 0) return fakeGpu(dawn.create(['backend=null']), found, happened)
    return {
      requestAdapter: () => Promise.reject(new Error(['no adapter', 'Available adapters:', ...listed].join('\n'))),
    }
  }
  return { ...dawn, create }
})

const GPU = { name: 'Fast Card' }
const options = {
  task: image({ data: shapes({ train: 16, test: 8 }) }),
  model: { patch: 16, dim: 4, ffn: 4, depth: 1 },
  variants: { gmlp: gmlp() },
  train: { steps: 6, batch: 4, histograms: false },
  seeds: [1],
}
const small = compare('on a card', options)

/** Trains a run on the card, as a process of cells does; what was said, and what it was trained on. */
async function trained(found: FakeCard[], study = small): Promise<Trained> {
  cards = found
  const backend = await startBackend('webgpu')
  return trainedOn({ backend, move: false }, study)
}

/** The same on the faster of processor and card, where this machine has nothing but `file` of a card. */
async function trainedWith(file: string, found: FakeCard[]): Promise<Trained> {
  cards = found
  const root = freshFolder()
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), '')
  const candidates = await candidatesHere(1, hasCard(root, 'linux'))
  const { on, ...rest } = await trainedOn({ backend: await startBackend('simd', 1), candidates, move: false }, small)
  return { on: on.slice(1), ...rest }
}

interface Trained {
  said: string[]
  /** The devices, one after the other. */
  on: string[]
  end: unknown
}

async function trainedOn(first: TrainedOn, study: Study): Promise<Trained> {
  const said: string[] = []
  const runs = memoryRuns()
  if (cardNote) said.push(cardNote)
  const on = [first.backend.device]
  let end: unknown
  const start = async (name: 'webgpu' | 'simd') => {
    const next = await startBackend(name, 1)
    on.push(name === 'simd' ? name : next.device)
    return next
  }
  const environment = { runs, files: memoryFiles({}), lost: lossOf }
  await retryOnDeviceLoss(
    first,
    start as typeof startBackend,
    (line) => said.push(line),
    async (own) => {
      for await (const event of executeStudy(study, { ...environment, ...own })) {
        if (event.type === 'backend' && first.candidates) on.push(event.backend.device)
        if (event.type === 'warning') said.push(event.message)
        if (event.type === 'run' && (event.event.type === 'failed' || event.event.type === 'warning'))
          said.push(event.event.message)
        if (event.type === 'end') end = event
      }
    },
  )
  return { said, on, end }
}

const DONE = { type: 'end', trained: 1, cached: 0, failed: 0, interrupted: false }

describe.skipIf(noCard)(`a graphics card ${noCard}`, () => {
  beforeEach(() => {
    happened = { asked: [], submissions: [], buffers: [], ms: 0, losses: 0 }
    const real = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => real() + happened.ms)
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    chooseCard(null)
    await tf.setBackend('cpu')
  })

  it('that gives all it has is asked once', async () => {
    expect(await trained([GPU])).toEqual({ said: [], on: ['Fast Card'], end: DONE })
    expect(happened.asked).toMatchObject([{ requiredFeatures: ['timestamp-query'] }])
  })

  const refusing: [string, Partial<FakeCard>, string, number][] = [
    [
      'timestamps',
      { refuses: ({ requiredFeatures }) => (requiredFeatures.length > 0 ? 'no timestamps here' : null) },
      'timestamps (no timestamps here)',
      2,
    ],
    [
      'large buffers',
      {
        limits: { maxBufferSize: 2 ** 34, maxStorageBufferBindingSize: 2 ** 32 - 4 },
        refuses: ({ requiredLimits }) => (Number(requiredLimits.maxBufferSize) > 2 ** 30 ? 'too large' : null),
      },
      'buffers of more than 1 GiB (too large)',
      3,
    ],
    [
      'all but what every card has',
      {
        limits: { maxBufferSize: 2 ** 32, maxStorageBufferBindingSize: 2 ** 31 },
        refuses: ({ requiredLimits, requiredFeatures }) =>
          requiredLimits.maxBufferSize !== undefined || requiredFeatures.length > 0 ? 'no' : null,
      },
      'more than every card has (no)',
      5,
    ],
  ]
  it.each(sample(refusing, 2))(
    'that refuses %s trains to the end with less, and says so',
    async (_, own, what, times) => {
      const said = [`the graphics card refuses ${what} and is used without`]
      expect(await trained([{ ...GPU, ...own }])).toEqual({ said, on: ['Fast Card'], end: DONE })
      expect(happened.asked).toHaveLength(times)
    },
  )

  it('that is lost as soon as it gives timestamps is asked again', async () => {
    const card = {
      ...GPU,
      isDead: ({ requiredFeatures }: { requiredFeatures: string[] }) => requiredFeatures.length > 0,
    }
    const { said, end } = await trained([card])
    expect(said).toEqual(['the graphics card refuses timestamps (it was lost at once) and is used without'])
    expect(end).toEqual(DONE)
  })

  it('that refuses everything says why', async () => {
    const refusing = trained([{ ...GPU, refuses: () => 'the driver is too old' }])
    await expect(refusing).rejects.toThrow(
      "'webgpu' does not start: finds a graphics card, which cannot be opened: the driver is too old",
    )
  })

  it('with small buffers has the values of a program in several', async () => {
    const limits = { maxBufferSize: 2 ** 14, maxStorageBufferBindingSize: 2 ** 14 }
    expect(await trained([{ ...GPU, limits }])).toEqual({ said: [], on: ['Fast Card'], end: DONE })
  })

  it('with 128 MB a binding, as little as WebGPU promises, trains a study that needs more', async () => {
    const limits = { maxBufferSize: 2 ** 28, maxStorageBufferBindingSize: 2 ** 27 }
    const large = compare('larger than a binding', {
      task: image({ data: shapes({ train: 64, test: 8 }) }),
      model: { patch: 4, dim: 128, ffn: 512, depth: 6 },
      variants: { gmlp: gmlp() },
      train: { steps: 6, batch: 64, histograms: false },
      seeds: [1],
    })
    expect(await trained([{ ...GPU, limits }], large)).toEqual({ said: [], on: ['Fast Card'], end: DONE })
    expect(Math.max(...happened.buffers)).toBe(2 ** 27)
  })

  it('that gives NaN fails the run, and says so', async () => {
    const { said, end } = await trained([{ ...GPU, reads: Number.NaN }])
    const why = 'loss is NaN at step 1: training diverged; try a learning rate below 0.001, warmup, or clip'
    expect([said, end]).toEqual([[why], { ...DONE, trained: 0, failed: 1 }])
  })

  it('with buffers too small for a program trains operation by operation, and says so', async () => {
    const limits = { maxBufferSize: 2 ** 10, maxStorageBufferBindingSize: 2 ** 10 }
    const { said } = await trained([{ ...GPU, limits }])
    const why =
      /^gmlp: runs operation by operation: .* needs more at once than the 7 buffers of 1 MiB that this card lets/
    expect(said[0]).toMatch(why)
  })

  const failed = { ...DONE, trained: 0, failed: 1 }
  it('without memory for a program fails the run, and says for which buffer', async () => {
    const { said, end } = await trained([{ ...GPU, memory: 2 ** 10 }])
    const why =
      'webgpu: the graphics card has no room for a buffer of 1 MiB, of 1 MiB that a program takes; a smaller batch takes less, and backend simd takes none of it'
    expect([said, end]).toEqual([[why], failed])
  })

  it('without room for a batch takes it in parts, and says so', async () => {
    const model = { patch: 4, dim: 16, ffn: 16, depth: 1 }
    const study = compare('large batches', { ...options, model, train: { ...options.train, batch: 16, steps: 2 } })
    expect((await trained([GPU], study)).said).toEqual([])
    const room = Math.max(...happened.buffers) - 1
    const { said, end } = await trained([{ ...GPU, room }], study)
    const note = 'the graphics card has no room for 16 examples at once: each batch is taken in 2 parts'
    expect([said, end]).toEqual([[note], DONE])
  })

  it.each(
    sample<[NonNullable<FakeCard['fault']>['kind'], RegExp]>(
      [
        ['internal', /has failed at dispatches \d+ to \d+ of \d+, .*: something is wrong; backend simd needs no card$/],
        ['out-of-memory', /has no room for dispatches \d+ to \d+ of \d+, .*; a smaller batch takes less, and backend/],
        ['validation', /refuses dispatches \d+ to \d+ of \d+, .*: something is wrong; backend simd needs no card$/],
      ],
      1,
    ),
  )('with a fault (%s) in training fails the run, and says where', async (kind, why) => {
    const { said, end } = await trained([{ ...GPU, fault: { kind, after: 100 } }])
    expect([said, end]).toEqual([[expect.stringMatching(why)], failed])
  })

  it('that is slow gets a step in several submissions, and none of 2 s', async () => {
    expect(await trained([{ ...GPU, dispatchMs: 90 }])).toEqual({ said: [], on: ['Fast Card'], end: DONE })
    expect(happened.losses).toBe(0)
  })

  it('that is fast gets a step in one submission once that is known', async () => {
    await trained([{ ...GPU, dispatchMs: 0.1 }])
    const step = Math.max(...happened.submissions)
    expect(step).toBeGreaterThan(20) // more than the operations of tfjs in one submission
    expect(happened.submissions.filter((count) => count === step)).toHaveLength(4) // of six steps; the first two are measured
  })

  it('that is lost in its first submission gets smaller ones', async () => {
    const { said, on, end } = await trained([{ ...GPU, dispatchMs: 300 }])
    expect(said).toEqual([expect.stringMatching(/^the graphics card was lost: .*; training continues on webgpu, from/)])
    expect([on, happened.losses, end]).toEqual([['Fast Card', 'Fast Card'], 1, DONE])
  })

  it('with a dispatch of over 2 s leaves the run to the processor, and says so', async () => {
    const { said, on, end } = await trained([{ ...GPU, dispatchMs: 2500 }])
    expect(said.map((line) => /continues on (\w+),/.exec(line)?.[1])).toEqual(['webgpu', 'simd'])
    expect([on, end]).toEqual([['Fast Card', 'Fast Card', 'simd'], DONE])
  })

  it('of two is the faster one, or the one that is chosen by name', async () => {
    const two = [GPU, { name: 'Small Card' }]
    expect((await trained(two)).on).toEqual(['Fast Card'])
    chooseCard('Small')
    expect((await trained(two)).on).toEqual(['Small Card'])
    chooseCard('small')
    expect((await trained(two)).on).toEqual(['Small Card'])
    chooseCard('Fats Card')
    await expect(candidatesHere(1, true)).rejects.toThrow(
      "--card: no card has 'Fats Card' in its name (did you mean 'Fast Card'?)",
    )
  })
  it.each(sample(['dev/nvidia3', 'dev/dxg', 'dev/dri/renderD129'], 1))(
    'of which there is only /%s is found, and trains',
    async (file) => {
      const slowed = () => {
        if (tf.getBackend() === 'simd') happened.ms += 100 // the processor is slower
        return happened.ms
      }
      vi.spyOn(performance, 'now').mockImplementation(slowed)
      expect(await trainedWith(file, [GPU])).toEqual({ said: [], on: ['Fast Card'], end: DONE })
    },
  )

  const driver = 'is a driver for Vulkan, Metal or Direct3D 12 installed?'
  const useless: [string, string, FakeCard[], string][] = [
    ['without a driver', 'dev/nvidia3', [], `'webgpu' does not start: no adapter; ${driver}`],
    [
      'that cannot be opened',
      'dev/dri/renderD129',
      [{ ...GPU, refuses: () => 'too old' }],
      `'webgpu' does not start: finds a graphics card, which cannot be opened: too old; ${driver}`,
    ],
    ['emulated', 'dev/dxg', [{ name: 'llvmpipe' }], "the only one, 'llvmpipe', is emulated on the processor"],
  ]
  it.each(sample(useless, 0, 2))(
    '%s, of which there is only /%s, leaves the run to the processor, and says why',
    async (_, file, found, why) => {
      const { said, on, end } = await trainedWith(file, found)
      expect([said, end]).toEqual([[`no graphics card is used: ${why}`], DONE])
      expect(on).not.toContain('llvmpipe')
    },
  )
})
