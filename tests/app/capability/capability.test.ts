import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KernelHost, openCapability } from '../../../app/capability/capability.ts'
import { openUsage } from '../../../app/capability/quota.ts'
import type { LocalHost } from '../../../app/host.ts'
import { packArguments } from '../../../engine/channel.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { PlannedRun, RunName, RunStart, StoredRunDetails, StudyEvent } from '../../../engine/records/run.ts'
import { BUILT_IN, keyOfRun, keyOfSpec } from '../../../engine/study/key.ts'
import { writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { designOf } from '../../designs.ts'
import { freshFolder } from '../store/samples.ts'
import { freshHost, kernelOf, notebookWith, pageOf, runCell } from './notebooks.ts'

describe('capabilities', () => {
  const VICTIM = notebookWith(2)
  const FOREIGN = notebookWith(3)
  const PERMISSION = { code: 'permission' }

  let folder: string
  let host: LocalHost
  /** A finished run of victim.ts, and one of it that was interrupted. */
  let done: StoredRunDetails
  let planned: PlannedRun
  /** The calls of the kernel that runs foreign.ts, and a run of its own. */
  let kernel: KernelHost
  let own: PlannedRun

  const plannedIn = (events: StudyEvent[]) => events.flatMap((event) => (event.type === 'plan' ? event.runs : []))[0]
  const weights = writeSafetensors([{ name: 'w', shape: [2], values: new Float32Array([1, 2]) }])

  beforeAll(async () => {
    folder = freshFolder()
    host = freshHost(folder)
    const events = await runCell(host, 'victim.ts', VICTIM, 'study')
    const run = plannedIn(events)
    if (!run) throw new Error('nothing was planned')
    const { done: _, resumesAt: __, ...rest } = run
    planned = rest
    done = await host.showRun('1')
    kernel = (await kernelOf(host, 'foreign.ts', FOREIGN, 'study')).calls
    const other = plannedIn(await runCell(freshHost(), 'foreign.ts', FOREIGN, 'study'))
    if (!other) throw new Error('nothing was planned')
    const { done: ___, resumesAt: ____, ...foreign } = other
    own = foreign
  })
  afterAll(() => host.close())

  const startOf = (run: PlannedRun): RunStart => ({ ...run, backend: 'cpu', device: 'test' })
  const untouched = async () => expect(await host.showRun('1')).toEqual(done)

  describe('a cell trains', () => {
    it('the runs of its own text, whose keys are those of before', async () => {
      const events = await runCell(host, 'victim.ts', VICTIM, 'study')
      expect(events.at(-1)).toEqual({ type: 'end', trained: 0, cached: 1, failed: 0, interrupted: false })
      expect(done).toMatchObject({ status: 'done', key: keyOfRun(done.spec as never) })
      expect(done.origin).toMatchObject({ notebook: 'victim.ts', cell: 'study', name: 'one', quick: false })
      expect(done.origin?.source).toContain("compare('one'")
      expect(done.code).toContain("block('mine'")
      expect(done.code).not.toContain("compare('one'")
    })

    it('runs that start from others, of blocks anywhere in it, of built-in ones and with metrics of its own', async () => {
      const more = `${VICTIM}
// %% many
import { metric } from 'mixlab'
export const near = metric('near', { better: 'higher' }, () => ({ add() {}, value: () => 1 }))
;[
  compare('three', { ...one.spec, variants: { mixer: mixer(), inline: block('listed', (x) => add(x, x)) } }),
  compare('four', { ...one.spec, metrics: [near], variants: { mixer: mixer() } }),
]
`
      const two = await runCell(host, 'victim.ts', more, 'other')
      expect(two.at(-1)).toMatchObject({ trained: 1, cached: 0, failed: 0 })
      const ends = (await runCell(host, 'victim.ts', more, 'many')).filter(({ type }) => type === 'end')
      expect(ends).toMatchObject([
        { trained: 2, failed: 0 },
        { trained: 1, failed: 0 },
      ])
      const origins = (await host.showRuns([3, 4, 5])).map(({ origin }) => origin?.cell)
      expect(origins).toEqual(['many', 'many', 'many'])
    })

    it('what is said of its notebook, cell and code, the host knows itself', async () => {
      await kernel.admitRuns([own])
      const origin = { notebook: 'victim.ts', cell: 'none', name: 'one', source: 'forged', quick: false }
      const begun = await kernel.beginRun({ ...startOf(own), code: 'forged', origin })
      const run = await host.showRun(`${begun?.id}`)
      expect(run.origin).toMatchObject({
        notebook: 'foreign.ts',
        cell: 'study',
        source: expect.stringContaining('compare'),
      })
      expect(run.code).toContain('mul(dense(x, dim), 3)')
      const events: TrainEvent[] = [{ type: 'checkpoint', step: 1, weights, best: weights, state: weights }]
      await kernel.record(run.id, [{ type: 'start', steps: 1, parameters: 2 }, ...events])
      expect(await kernel.readState(run.id)).toEqual(weights)
      await kernel.record(run.id, [{ type: 'interrupted', step: 1 }])
    })
  })

  describe('a cell cannot', () => {
    it.each<[string, TrainEvent]>([
      ['a metric', { type: 'metric', step: 9, name: 'test/accuracy', value: 0.999 }],
      ['weights', { type: 'checkpoint', step: 9, weights: new Uint8Array(3) }],
      ['an end', { type: 'failed', step: 9, message: 'no' }],
      ['a start', { type: 'start', steps: 1, parameters: 1 }],
    ])('record %s of a run of another notebook', async (_, event) => {
      for (const by of [undefined, { epoch: 1 }, { epoch: 1, batch: 9 }]) {
        await expect(kernel.record(done.id, [event], by)).rejects.toMatchObject(PERMISSION)
      }
      await untouched()
    })

    it('record of one that another notebook trains, or left', async () => {
      const victim = await kernelOf(host, 'victim.ts', `${VICTIM}\n// note\n`, 'other')
      const run = await host.showRun('2')
      await expect(kernel.record(run.id, [{ type: 'interrupted', step: 0 }])).rejects.toMatchObject(PERMISSION)
      await expect(kernel.readState(run.id)).rejects.toMatchObject(PERMISSION)
      await expect(victim.calls.readState(run.id)).rejects.toMatchObject(PERMISSION) // not before it has told of its runs
    })

    it('begin a run under the key of another notebook, whatever spec it sends', async () => {
      const forged: [PlannedRun, RegExp][] = [
        [planned, /its block is of no cell that was run/],
        [{ ...own, key: planned.key }, /its key is not that of its spec/],
        [{ ...planned, spec: own.spec }, /its key is not that of its spec/],
        [{ ...own, seed: 99 }, /its spec is of another run/],
      ]
      for (const [run, why] of forged) {
        await expect(kernel.admitRuns([run])).rejects.toThrow(why)
        await expect(kernel.beginRun(startOf(run))).rejects.toMatchObject(PERMISSION)
      }
      await expect(kernel.admitRuns([own, planned])).rejects.toMatchObject(PERMISSION)
      await untouched()
    })

    it('take the text of a block of the engine, an old version of it, or a metric of another notebook for its own', async () => {
      const { model, ...spec } = own.spec as { model: object }
      const made = (changes: object): PlannedRun => {
        const changed = { ...spec, model, ...changes }
        return { ...own, spec: changed, key: keyOfRun(changed as never) }
      }
      const code = (text: string) => made({ model: { ...model, code: text } })
      for (const text of ['', 'a'.repeat(64), '(x) => gmlp(x)']) {
        await expect(kernel.admitRuns([code(text)])).rejects.toThrow('its block is of no cell that was run')
      }
      await expect(kernel.admitRuns([made({ numerics: 1 })])).rejects.toThrow('its numerics are 1')
      const fingerprint = (planned.spec as { model: { code: string } }).model.code
      await expect(kernel.admitRuns([made({ metrics: { near: fingerprint } })])).rejects.toThrow("its metric 'near'")
      const citing = (await kernelOf(host, 'foreign.ts', `${FOREIGN}\n// %% cite\none; '${fingerprint}'\n`, 'cite'))
        .calls
      await citing.admitRuns([own])
      await expect(citing.admitRuns([planned])).rejects.toThrow('its block is of no cell that was run')
      await expect(kernel.admitRuns([made({ data: 5 })])).rejects.toThrow('its spec is of another shape')
      await kernel.admitRuns([code(BUILT_IN)]) // shared by all notebooks, each of which says whose it is
    })

    it('start from a run of another notebook, or learn from it, or start from a file under a key that is not of its bytes', async () => {
      const { key, study, variant, seed } = planned
      const starts = [
        { key, study, variant, seed },
        { key, path: 'a.safetensors', sha256: 'ab' },
      ]
      for (const from of starts) {
        const spec = { ...own.spec, from }
        const run = { ...own, spec, from, key: keyOfRun(spec as never) }
        await expect(kernel.admitRuns([run])).rejects.toThrow('it starts from what is of no cell that was run')
      }
      const teacher = starts[0] as RunName
      const taught = { ...own.spec, teacher }
      const pupil = { ...own, spec: taught, teacher, key: keyOfRun(taught as never) }
      await expect(kernel.admitRuns([pupil])).rejects.toThrow('its teacher is of no cell that was run')
      const file = { key: keyOfSpec({ weights: 'ab' }), path: 'a.safetensors', sha256: 'ab' }
      const spec = { ...own.spec, from: file }
      await kernel.admitRuns([{ ...own, spec, from: file, key: keyOfRun(spec as never) }])
    })

    it('name the runs of another notebook, or put them into a design of its own', async () => {
      const design = designOf('one', [{ variant: 'renamed', seed: 1, key: planned.key }])
      await expect(kernel.recordDesign(design)).rejects.toMatchObject(PERMISSION)
      const alike = designOf('one', [{ variant: 'a', seed: 1, key: own.key, trained: planned.key }])
      await kernel.admitRuns([own])
      await expect(kernel.recordDesign(alike)).rejects.toMatchObject(PERMISSION)
      await untouched()
    })

    it('rename runs that it shares with another notebook', async () => {
      const copy = (await kernelOf(host, 'copy.ts', VICTIM, 'study')).calls
      await copy.admitRuns([planned])
      await copy.recordDesign(designOf('one', [{ variant: 'renamed', seed: 1, key: planned.key }]), 'victim.ts')
      expect((await copy.findDone([planned.key]))[0]?.id).toBe(done.id) // and says whose it is
      await untouched()
    })

    it('read what another notebook has trained', async () => {
      await expect(kernel.readWeights(done.id)).rejects.toMatchObject(PERMISSION)
      await expect(kernel.readState(done.id)).rejects.toMatchObject(PERMISSION)
      for (const ask of [
        kernel.findDone,
        kernel.lookAt,
        kernel.earlierDesigns,
        (keys: string[]) => kernel.findResumable(keys, 'cpu'),
      ]) {
        await expect(ask([planned.key])).rejects.toMatchObject(PERMISSION)
      }
    })

    it('read off the runs of another notebook, or see what was read off', async () => {
      const size = { metric: 'readout/size', digest: 'd' }
      await expect(kernel.readSeries([done.id], 'loss')).rejects.toMatchObject(PERMISSION)
      await expect(kernel.showReadouts([planned.key], [size])).rejects.toMatchObject(PERMISSION)
      const value = { ...size, value: 1, meaning: {}, test: false }
      await expect(kernel.keepReadout(done.id, value)).rejects.toMatchObject(PERMISSION)
      const floors = { version: 1, train: 1, test: 1, fitted: 1, measured: 1, models: [] }
      await expect(kernel.keepFloors('of other data', floors)).rejects.toMatchObject(PERMISSION)
      await expect(kernel.findFloors('of other data')).rejects.toMatchObject(PERMISSION)
    })

    it('read notebooks, the store, or what is hidden in the workspace', async () => {
      writeFileSync(join(folder, 'secret.ts'), '// %% a\n')
      writeFileSync(join(folder, '.env'), 'password')
      mkdirSync(join(folder, 'data/.git'), { recursive: true })
      writeFileSync(join(folder, 'data/points.csv'), '1')
      for (const path of ['secret.ts', 'data/../secret.ts', '.env', 'data/.git', '.mixlab/mixlab.db', '/etc/passwd']) {
        await expect(kernel.read(path), path).rejects.toMatchObject(PERMISSION)
      }
      expect((await kernel.list('.')).map(({ name }) => name)).toEqual(['data'])
      expect((await kernel.list('data')).map(({ name }) => name)).toEqual(['points.csv'])
      expect(await kernel.read('data/points.csv')).toEqual(new Uint8Array([49]))
    })

    it.each([
      ['3 bytes', new Uint8Array(3)],
      ['a header longer than the file', new Uint8Array([255, 255, 255, 255, 255, 255, 255, 255])],
      ['no JSON', new Uint8Array([1, 0, 0, 0, 0, 0, 0, 0, 65])],
      ['bytes behind its tensors', new Uint8Array([...weights, 0])],
      ['half a tensor', weights.slice(0, -4)],
    ])('leave %s as weights', async (_, bytes) => {
      await kernel.admitRuns([own])
      const begun = await kernel.beginRun(startOf(own))
      const id = begun?.id ?? 0
      const files: TrainEvent[] = [
        { type: 'checkpoint', step: 2, weights: bytes },
        { type: 'checkpoint', step: 2, weights, best: bytes },
        { type: 'checkpoint', step: 2, weights, state: bytes },
        { type: 'snapshot', step: 2, weights: bytes },
      ]
      for (const event of files) {
        await expect(kernel.record(id, [event])).rejects.toMatchObject({ code: 'weights' })
      }
      expect(await kernel.readWeights(id)).toEqual(weights)
      await kernel.record(id, [{ type: 'interrupted', step: 2 }])
    })
  })

  describe('a capability', () => {
    it('ends with its cell, and nobody can make one up', async () => {
      const { page, id, calls } = await kernelOf(host, 'foreign.ts', FOREIGN, 'study')
      await page.endCapability(id)
      const ended = { code: 'permission', path: 'capability' }
      await expect(calls.admitRuns([own])).rejects.toMatchObject(ended)
      await expect(page.callWith('made up', 'list', ['.'])).rejects.toMatchObject(ended)
      await expect(page.callWith(id, 'issueCapability', [])).rejects.toMatchObject({ code: 'option' })
      await expect(page.callWith(id, 'archiveRuns', [[1], true])).rejects.toMatchObject({ code: 'option' })
    })

    it('takes arguments as a kernel has packed them, and what is none costs only its call', async () => {
      const { page, id } = await kernelOf(host, 'foreign.ts', FOREIGN, 'study')
      expect(await page.callWith(id, 'list', packArguments(['.']))).toEqual(await page.callWith(id, 'list', ['.']))
      const option = { code: 'option', path: 'list' }
      const unread = [[0x93], [0xc1], Array(200).fill(0x91), [0xdd, 0xff, 0xff, 0xff, 0xff], [0x05], []]
      for (const bytes of unread) {
        await expect(page.callWith(id, 'list', Uint8Array.from(bytes))).rejects.toMatchObject(option)
      }
      await expect(page.callWith(id, 'list', packArguments([5]))).rejects.toMatchObject({ code: 'option' })
      await expect(page.callWith(id, 'archiveRuns', packArguments([[1], true]))).rejects.toMatchObject({
        code: 'option',
      })
      await expect(page.callWith(id, 'admitRuns', packArguments([[{ ...own, seed: 9 }]]))).rejects.toMatchObject(
        PERMISSION,
      )
    })

    it('lets its cells begin so many runs, and keep so much', async () => {
      const { closure } = await kernelOf(host, 'foreign.ts', FOREIGN, 'study')
      const small = (quota: { runs: number; bytes: number }) =>
        openCapability({ notebook: 'foreign.ts', cells: closure }, quota).over(host)
      const bytes = Math.ceil(1.5 * JSON.stringify(own).length)
      for (const [calls, why] of [
        [small({ runs: 1, bytes: 2 * bytes }), 'more than 1 of one cell'],
        [small({ runs: 2, bytes }), `would keep more than ${bytes} bytes`],
      ] as const) {
        await calls.admitRuns([own])
        const begun = await calls.beginRun(startOf(own))
        await expect(calls.beginRun(startOf(own))).rejects.toThrow(why)
        await calls.record(begun?.id ?? 0, [{ type: 'interrupted', step: 0 }])
      }
    })

    it('of no cell reads data alone', async () => {
      const page = pageOf(host)
      const id = await page.issueCapability({ notebook: null, cells: [] })
      expect(await page.callWith(id, 'list', ['.'])).toEqual(expect.any(Array))
      await expect(page.callWith(id, 'admitRuns', [[own]])).rejects.toThrow('no cell is run')
      await expect(page.callWith(id, 'readWeights', [done.id])).rejects.toMatchObject(PERMISSION)
    })

    it('holds what a notebook is called now', async () => {
      const text = notebookWith(5)
      const { page, calls } = await kernelOf(host, 'before.ts', text, 'study')
      const run = plannedIn(await runCell(freshHost(), 'x.ts', text, 'study'))
      if (!run) throw new Error('nothing was planned')
      const { done: _, resumesAt: __, ...mine } = run
      await calls.admitRuns([mine])
      const begun = await calls.beginRun(startOf(mine))
      await host.writeNotebook('before.ts', text, null)
      await page.renameNotebook('before.ts', 'after.ts')
      await calls.record(begun?.id ?? 0, [{ type: 'interrupted', step: 0 }])
      await calls.beginRun(startOf(mine))
      expect((await host.showRun(`${begun?.id}`)).origin?.notebook).toBe('after.ts')
      await calls.record(begun?.id ?? 0, [{ type: 'interrupted', step: 0 }])
    })

    it('issued again after the host was started again goes on with its runs, and with no others', async () => {
      const workspace = freshFolder()
      const before = freshHost(workspace)
      const first = (await kernelOf(before, 'foreign.ts', FOREIGN, 'study')).calls
      await first.admitRuns([own])
      const begun = await first.beginRun(startOf(own))
      await first.record(begun?.id ?? 0, [{ type: 'start', steps: 1, parameters: 2 }], { epoch: 1, batch: 1 })
      before.close()
      const after = freshHost(workspace)
      const { calls } = await kernelOf(after, 'foreign.ts', FOREIGN, 'study')
      const step = { type: 'metric', step: 1, name: 'loss', value: 1 } as const
      const by = { epoch: begun?.epoch ?? 0, batch: 2 }
      await expect(calls.record(begun?.id ?? 0, [step], by)).rejects.toMatchObject(PERMISSION)
      const thief = (await kernelOf(after, 'thief.ts', FOREIGN, 'study')).calls
      for (const each of [calls, thief]) await each.admitRuns([own])
      await expect(thief.record(begun?.id ?? 0, [step], by)).rejects.toMatchObject(PERMISSION)
      await calls.record(begun?.id ?? 0, [step], by)
      expect((await after.showRun('1')).metrics.loss?.last).toBe(1)
      after.close()
    })

    it('is through with what its kernel has recorded before the page says that a run has ended', async () => {
      const fresh = freshHost()
      const { calls, page } = await kernelOf(fresh, 'foreign.ts', FOREIGN, 'study')
      await calls.admitRuns([own])
      const { id = 0, epoch = 0 } = (await calls.beginRun(startOf(own))) ?? {}
      const step = { type: 'metric', step: 1, name: 'loss', value: 1 } as const
      const late = calls.record(id, [step], { epoch, batch: 1 }) // its kernel is killed with this under way
      await Promise.all([late, page.record(id, [{ type: 'interrupted', step: 1 }])])
      expect(await fresh.showRun(`${id}`)).toMatchObject({ status: 'interrupted', metrics: { loss: { last: 1 } } })
      fresh.close()
    })
  })
})

describe('the quota', () => {
  const file = (count: number) => writeSafetensors([{ name: 'w', shape: [count], values: new Float32Array(count) }])
  const checkpoint = (step: number, count: number): TrainEvent => ({ type: 'checkpoint', step, weights: file(count) })
  const snapshot = (step: number): TrainEvent => ({ type: 'snapshot', step, weights: file(100) })
  const TOO_MUCH = { code: 'permission', message: expect.stringContaining('more than 2000 bytes') }
  const caught = (work: () => void) => {
    try {
      work()
    } catch (error) {
      return error
    }
    return null
  }

  it('counts what stays: checkpoints take the place of earlier ones, snapshots add up', () => {
    const usage = openUsage({ runs: 2, bytes: 2000 })
    for (let step = 0; step < 50; step++) usage.addEvents(1, [checkpoint(step, 100)])
    for (let step = 0; step < 3; step++) usage.addEvents(1, [snapshot(step)])
    expect(caught(() => usage.addEvents(1, [snapshot(3)]))).toMatchObject(TOO_MUCH)
    usage.addEvents(1, [checkpoint(51, 10)]) // a smaller one makes room
    expect(caught(() => usage.addEvents(2, [checkpoint(0, 300)]))).toMatchObject(TOO_MUCH)
  })

  it('counts runs, points, texts and what they say', () => {
    const usage = openUsage({ runs: 2, bytes: 2000 })
    usage.addRun()
    usage.addRun()
    expect(() => usage.addRun()).toThrow('runs: more than 2 of one cell')
    const metric: TrainEvent = { type: 'metric', step: 1, name: 'loss', value: 1 }
    expect(caught(() => usage.addEvents(1, Array(101).fill(metric)))).toMatchObject(TOO_MUCH)
    expect(caught(() => usage.addEvents(1, [{ ...metric, name: 'a'.repeat(2000) }]))).toMatchObject(TOO_MUCH)
    expect(caught(() => usage.addEvents(1, [{ type: 'failed', step: 1, message: 'a'.repeat(2001) }]))).toMatchObject(
      TOO_MUCH,
    )
    expect(caught(() => usage.addText({ long: 'a'.repeat(2000) }))).toMatchObject(TOO_MUCH)
    usage.addEvents(1, Array(99).fill(metric)) // what was refused does not count
    usage.addText({})
  })

  it('refuses files that are no safetensors before any of a batch counts', () => {
    const usage = openUsage({ runs: 1, bytes: 2000 })
    const bad: TrainEvent = { type: 'snapshot', step: 1, weights: new Uint8Array(3) }
    for (let time = 0; time < 9; time++)
      expect(() => usage.addEvents(1, [checkpoint(0, 300), bad])).toThrow('too short')
    usage.addEvents(1, [checkpoint(0, 300)])
  })
})
