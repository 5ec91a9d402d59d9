import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import type { Store } from '../../../app/store/index.ts'
import { claimOwner, ownerLives } from '../../../app/store/training/owner.ts'
import { MixlabError } from '../../../engine/errors.ts'
import type { StartedCell } from '../../../engine/host.ts'
import type { BegunRun, RunStart } from '../../../engine/records/run.ts'
import { stores } from './openedStores.ts'
import { freshFolder, metricEvents, sampleRun } from './samples.ts'

describe('the owner of a run', () => {
  function begin(store: Store, changes?: Partial<RunStart>): BegunRun {
    const run = store.beginRun(sampleRun(changes))
    if (!run) throw new Error('not begun')
    return run
  }

  const points = (store: Store, { id }: BegunRun) => store.readSeries([id], 'loss')[0]?.steps
  const interrupted = [{ type: 'interrupted', step: 2 } as const]

  it('has a number that rises whenever somebody takes the run up', () => {
    const [store, other] = stores()
    const first = begin(store)
    expect(first.epoch).toBe(1)
    expect(begin(store, { variant: 'other' }).epoch).toBe(1)
    store.record(first.id, interrupted, { epoch: 1, batch: 1 })
    expect(begin(other)).toEqual({ id: first.id, epoch: 2 })
    other.record(first.id, interrupted, { epoch: 2, batch: 1 })
    expect(begin(store)).toEqual({ id: first.id, epoch: 3 })
  })

  it('is the only one whose events are recorded, whoever comes too late, also once it has ended', () => {
    const [store, other] = stores()
    const run = begin(store)
    store.record(run.id, metricEvents('loss', 0, 3), { epoch: 1, batch: 1 })
    store.record(run.id, interrupted, { epoch: 1, batch: 2 })
    begin(other)
    const late = () => store.record(run.id, metricEvents('loss', 3, 6), { epoch: 1, batch: 3 })
    const refused = { code: 'owner', message: `run ${run.id}: its owner 1 is too late, 2 has taken it up` }
    expect(late).toThrow(expect.objectContaining(refused))
    other.record(run.id, [{ type: 'done', step: 3 }], { epoch: 2, batch: 1 })
    expect(late).toThrow(expect.objectContaining(refused))
    expect(points(store, run)).toEqual([0, 1, 2])
    expect(store.showRun(`${run.id}`).status).toBe('done')
  })

  it('records a batch once, however often it is sent', () => {
    const [store] = stores()
    const run = begin(store)
    for (const batch of [1, 1, 2, 1, 2])
      store.record(run.id, metricEvents('loss', batch, batch + 1), { epoch: 1, batch })
    expect(points(store, run)).toEqual([1, 2])
    store.record(run.id, interrupted, { epoch: 1, batch: 3 })
    store.record(run.id, interrupted, { epoch: 1, batch: 3 })
    expect(store.showRun(`${run.id}`).status).toBe('interrupted')
  })

  it('goes on with a run that its store has interrupted without it, without the time between', () => {
    const [store, other] = stores()
    const run = begin(store)
    store.record(run.id, metricEvents('loss', 0, 3), { epoch: 1, batch: 1 })
    store.close()
    expect(other.showRun(`${run.id}`).status).toBe('interrupted')
    const before = other.showRun(`${run.id}`).ms
    const { ms } = other.record(run.id, metricEvents('loss', 0, 3), { epoch: 1, batch: 1 })
    expect(other.showRun(`${run.id}`).status).toBe('running')
    expect(ms).toBeLessThan(before + 5)
    other.record(run.id, metricEvents('loss', 3, 4), { epoch: 1, batch: 2 })
    expect(points(other, run)).toEqual([0, 1, 2, 3])
  })

  it('does not go on with a run that somebody has begun anew meanwhile', () => {
    const [store, other] = stores()
    const run = begin(store)
    store.record(run.id, interrupted, { epoch: 1, batch: 1 })
    expect(begin(other, { backend: 'simd' }).id).not.toBe(run.id)
    const late = () => store.record(run.id, metricEvents('loss', 0, 3), { epoch: 1, batch: 2 })
    expect(late).toThrow(expect.objectContaining({ code: 'owner' }))
    expect(points(store, run)).toEqual([])
  })

  it('learns that it is to stop when it records, in whichever process', () => {
    const [store, other] = stores()
    const run = begin(store)
    const step = (batch: number) => store.record(run.id, [{ type: 'step', step: batch, ms: 1 }], { epoch: 1, batch })
    expect(step(1).stop).toBe(false)
    other.stopRuns([run.id, 99])
    expect(step(2).stop).toBe(true)
    expect(step(2).stop).toBe(true)
    store.record(run.id, interrupted, { epoch: 1, batch: 3 })
    other.stopRuns([run.id]) // nobody trains it
    const again = begin(other)
    expect(other.record(run.id, [{ type: 'step', step: 3, ms: 1 }], { epoch: again.epoch, batch: 1 }).stop).toBe(false)
  })
})

describe('an attempt with a number from outside', () => {
  const begin = (store: Store, attempt?: number) => store.beginRun(sampleRun(attempt === undefined ? {} : { attempt }))
  const late = (attempt: number, latest: number) => {
    const message = `run 1: attempt ${attempt} is too late, ${latest} has taken it up`
    return expect.objectContaining({ code: 'owner', message })
  }
  const steps = (store: Store) => store.readSeries([1], 'loss')[0]?.steps

  it('takes over a run in training from a lower one, whose events are refused from then on', () => {
    const [store, other] = stores()
    expect(begin(store, 1)).toEqual({ id: 1, epoch: 1 })
    store.record(1, metricEvents('loss', 0, 3), { epoch: 1, batch: 3 })
    expect(begin(other, 3)).toEqual({ id: 1, epoch: 3 })
    const refused = { code: 'owner', message: 'run 1: its owner 1 is too late, 3 has taken it up' }
    expect(() => store.record(1, metricEvents('loss', 3, 4), { epoch: 1, batch: 4 })).toThrow(
      expect.objectContaining(refused),
    )
    expect(() => begin(store, 2)).toThrow(late(2, 3))
    other.record(1, metricEvents('loss', 3, 5), { epoch: 3, batch: 2 })
    expect(steps(store)).toEqual([0, 1, 2, 3, 4])
  })

  it('goes on behind the last of its events that is recorded, once its recording stopped', () => {
    const [store, other] = stores()
    begin(store, 2)
    store.record(1, metricEvents('loss', 0, 3), { epoch: 2, batch: 3 })
    expect(begin(other, 2)).toBeNull() // the first store still records it
    store.close()
    expect(begin(other, 2)).toEqual({ id: 1, epoch: 2, after: 3 })
    other.record(1, metricEvents('loss', 0, 3), { epoch: 2, batch: 3 })
    other.record(1, metricEvents('loss', 3, 4), { epoch: 2, batch: 4 })
    expect(steps(other)).toEqual([0, 1, 2, 3])
  })

  it('is refused where the store has given the same number itself, and counts on from there otherwise', () => {
    const [store] = stores()
    begin(store)
    expect(() => begin(store, 1)).toThrow(late(1, 1))
    expect(begin(store)).toBeNull()
    expect(begin(store, 2)).toEqual({ id: 1, epoch: 2 })
    store.record(1, [{ type: 'interrupted', step: 0 }], { epoch: 2 })
    expect(begin(store)).toEqual({ id: 1, epoch: 3 })
    expect(() => begin(store, 2)).toThrow(late(2, 3))
  })

  it('leaves a run that is done as it is', () => {
    const [store] = stores()
    begin(store, 1)
    store.record(1, [{ type: 'done', step: 3 }], { epoch: 1, batch: 1 })
    expect(begin(store, 2)).toBeNull()
  })
})

describe('the latest', () => {
  const { key } = sampleRun()

  it('knows the latest attempt at a run, however it ended, and whether one is done', () => {
    const [store] = stores()
    expect(store.latestAttempts([key])).toEqual([])
    store.beginRun(sampleRun({ attempt: 7 }))
    store.record(1, metricEvents('loss', 0, 3), { epoch: 7, batch: 3 })
    const first = { key, id: 1, status: 'running', number: 7, events: 3, done: false }
    expect(store.latestAttempts([key, 'other'])).toEqual([first])
    store.record(1, [{ type: 'failed', step: 3, message: 'broken' }], { epoch: 7, batch: 4 })
    expect(store.latestAttempts([key])).toEqual([{ ...first, status: 'failed', events: 4 }])
    store.beginRun(sampleRun({ attempt: 9 }))
    store.record(2, [{ type: 'done', step: 3 }], { epoch: 9, batch: 1 })
    const done = { key, id: 2, status: 'done', number: 9, events: 1, done: true }
    expect(store.latestAttempts([key])).toEqual([done])
    store.archiveRuns([2], true)
    expect(store.latestAttempts([key])).toEqual([{ ...done, done: false }])
  })

  it('records what happened earlier with its time, so that a run has the time that it was trained', () => {
    const [store] = stores()
    store.beginRun(sampleRun({ attempt: 1 }), 1_000)
    store.record(
      1,
      [{ type: 'start', steps: 9, parameters: 1 }, ...metricEvents('loss', 0, 3)],
      { epoch: 1, batch: 4 },
      3_000,
    )
    store.record(1, [{ type: 'interrupted', step: 2 }], { epoch: 1 }, 3_500)
    expect(store.showRuns([1])[0]).toMatchObject({ startedAt: 1_000, endedAt: 3_500, ms: 2_500 })
    store.beginRun(sampleRun({ attempt: 2 }), 10_000)
    store.record(1, [{ type: 'done', step: 9 }], { epoch: 2, batch: 1 }, 11_000)
    expect(store.showRuns([1])[0]).toMatchObject({ endedAt: 11_000, ms: 3_500 })
  })
})

describe('a cell that was started', () => {
  const cell = (changes: Partial<StartedCell> = {}): StartedCell => ({
    notebook: 'n.ts',
    cell: 'study',
    source: 'compare()',
    fingerprint: 'f',
    plans: { s: ['k1', 'k2'] },
    backend: 'simd',
    atOnce: null,
    at: 1,
    ...changes,
  })
  const held = (store: Store) => store.listStarted().map((each) => [each.cell, each.held])

  it('is kept as it was, the first one first, until it has ended', () => {
    const [store, other] = stores()
    store.keepStarted(cell({ cell: 'later', at: 2 }))
    store.keepStarted(cell())
    store.keepStarted(cell({ fingerprint: 'g' }))
    expect(other.listStarted()).toEqual([
      { ...cell({ fingerprint: 'g' }), held: true },
      { ...cell({ cell: 'later', at: 2 }), held: true },
    ])
    store.endStarted('n.ts', 'study')
    store.endStarted('n.ts', 'unknown')
    expect(held(other)).toEqual([['later', true]])
  })

  it('is taken by one at most, once nobody runs it', () => {
    const [store, other] = stores()
    store.keepStarted(cell())
    expect(other.takeStarted('n.ts', 'study')).toBe(false)
    other.freeStarted('n.ts', 'study') // is not its own
    expect(held(other)).toEqual([['study', true]])
    store.freeStarted('n.ts', 'study')
    expect(held(other)).toEqual([['study', false]])
    expect([other, store].map((each) => each.takeStarted('n.ts', 'study'))).toEqual([true, false])
    expect(store.takeStarted('n.ts', 'unknown')).toBe(false)
  })

  it('is free as soon as the process that ran it has gone', () => {
    const [store, other] = stores()
    store.keepStarted(cell())
    store.close()
    expect(held(other)).toEqual([['study', false]])
    expect(other.takeStarted('n.ts', 'study')).toBe(true)
  })

  it('goes along when its notebook is renamed', () => {
    const [store] = stores()
    store.keepStarted(cell())
    store.keepStarted(cell({ notebook: 'm.ts', cell: 'old' }))
    store.moveStarted('n.ts', 'm.ts')
    expect(store.listStarted().map(({ notebook, cell }) => [notebook, cell])).toEqual([['m.ts', 'study']])
  })
})

describe('an owner', () => {
  it('lives until it is released, seen from its own process too', () => {
    const folder = freshFolder()
    const [a, b] = [claimOwner(folder), claimOwner(folder)]
    expect(ownerLives(folder, a.token)).toBe(true)
    expect(ownerLives(folder, a.token)).toBe(true)
    a.release()
    expect(ownerLives(folder, a.token)).toBe(false)
    expect(ownerLives(folder, b.token)).toBe(true)
    b.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('whose file nobody holds is dead, and its file is removed', () => {
    const folder = freshFolder()
    writeFileSync(join(folder, 'left-behind'), '')
    expect(ownerLives(folder, 'left-behind')).toBe(false)
    expect(existsSync(join(folder, 'left-behind'))).toBe(false)
    expect(ownerLives(folder, 'never-was')).toBe(false)
  })

  it('is released although its file was removed', () => {
    const folder = freshFolder()
    const owner = claimOwner(folder)
    rmSync(join(folder, owner.token))
    owner.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('of a folder that is not there is dead', () => {
    expect(ownerLives(join(freshFolder(), 'gone'), 'token')).toBe(false)
  })

  it('keeps one file open, as long as it lives', () => {
    const folder = freshFolder()
    const close = vi.spyOn(BetterSqlite3.prototype, 'close')
    const owner = claimOwner(folder)
    expect(close).not.toHaveBeenCalled()
    expect(ownerLives(folder, owner.token)).toBe(true)
    expect(close).toHaveBeenCalledTimes(1) // that of who looked
    owner.release()
    expect(close).toHaveBeenCalledTimes(2)
    close.mockRestore()
  })

  it('cannot be where no file can be made', () => {
    const file = join(freshFolder(), 'file')
    writeFileSync(file, '')
    expect(() => claimOwner(file)).toThrow(MixlabError)
  })
})
