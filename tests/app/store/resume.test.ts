import { createHash } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { Store } from '../../../app/store/index.ts'
import { openObjects } from '../../../app/store/objects.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { freshStore, storeIn, trainingStore } from './openedStores.ts'
import { begun, freshWorkspace, metricEvents, range, sampleRun } from './samples.ts'

describe('going on', () => {
  const { key } = sampleRun()
  const bytes = (text: string) => new TextEncoder().encode(text)
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
  const textOf = (content: Uint8Array | null) => content && new TextDecoder().decode(content)

  const start = (resumedAt: number): TrainEvent => ({ type: 'start', steps: 5000, parameters: 7, resumedAt })
  const checkpoint = (step: number, best?: string): TrainEvent => ({
    ...{ type: 'checkpoint', step, weights: bytes(`weights ${step}`), state: bytes(`state ${step}`) },
    ...(best && { best: bytes(best) }),
  })

  /** A run interrupted at `step`, 27 steps after its last checkpoint. */
  function interrupted(store: Store, step = 2073): number {
    const id = begun(store.beginRun(sampleRun()))
    store.record(id, [start(0), ...metricEvents('loss', 1, step - 26), checkpoint(step - 27, 'best')])
    store.record(id, [...metricEvents('loss', step - 26, step + 1), { type: 'interrupted', step }])
    return id
  }

  const objectsIn = (folder: string) => {
    const root = join(folder, '.mixlab/objects')
    const shelves = readdirSync(root)
    return shelves.flatMap((shelf) => readdirSync(join(root, shelf)).map((rest) => shelf + rest)).sort()
  }

  describe('an interrupted run', () => {
    it('is taken up by whoever begins it next on its backend; on another one it begins anew', () => {
      const store = freshStore()
      const id = interrupted(store)
      expect(store.findResumable([key, 'other'], 'cpu')).toEqual([{ key, step: 2046 }])
      expect(store.findResumable([key], 'simd')).toEqual([])
      const elsewhere = begun(store.beginRun(sampleRun({ backend: 'simd' })))
      expect(elsewhere).not.toBe(id)
      expect(store.readState(elsewhere)).toBeNull()
      store.record(elsewhere, [{ type: 'interrupted', step: 0 }])
      expect(begun(store.beginRun(sampleRun({ device: 'a newer processor' })))).toBe(id)
      expect(store.listRuns()[1]).toMatchObject({ id, status: 'running', endedAt: null, device: 'a newer processor' })
      expect(store.beginRun(sampleRun())).toBeNull()
      expect(store.findResumable([key], 'cpu')).toEqual([])
      expect(textOf(store.readState(id))).toBe('state 2046')
    })

    it('has been trained for as long as it was, wherever the clock goes meanwhile', () => {
      const clock = vi.spyOn(Date, 'now')
      const at = (time: number) => clock.mockReturnValue(1_000_000_000 + time)
      try {
        const store = freshStore()
        at(5000)
        const id = begun(store.beginRun(sampleRun()))
        at(9000)
        store.record(id, [start(0), { type: 'interrupted', step: 4 }])
        at(-60_000)
        expect(store.beginRun(sampleRun())).not.toBeNull()
        at(-58_000)
        const { ms } = store.record(id, [start(4), ...metricEvents('loss', 4, 6)])
        expect(ms).toBe(6000)
        at(-90_000)
        expect(store.record(id, [{ type: 'failed', step: 6, message: 'x' }]).ms).toBe(6000)
        const [run] = store.listRuns()
        expect((run?.endedAt ?? 0) - (run?.startedAt ?? 0)).toBe(6000)
        store.close()
      } finally {
        clock.mockRestore()
      }
    })

    it('that starts anew keeps its weights until others take their place, and nothing else', () => {
      const folder = freshWorkspace()
      const store = storeIn(folder)
      const id = interrupted(store)
      store.record(id, [{ type: 'metric', name: 'first', step: 0, value: 1 }])
      store.beginRun(sampleRun())
      store.record(id, [start(0), ...metricEvents('loss', 0, 3)])
      expect(Object.keys(store.listRuns()[0]?.metrics ?? {})).toEqual(['loss'])
      expect(store.listRuns()[0]).toMatchObject({ step: 2, hasWeights: true, metrics: { loss: { count: 3, best: 0 } } })
      expect(store.readState(id)).toBeNull()
      expect(textOf(store.readWeights(id))).toBe('weights 2046')
      store.record(id, [checkpoint(20, 'better')])
      expect(objectsIn(folder)).toEqual(['weights 20', 'state 20', 'better'].map(hashOf).sort())
    })

    it.each<TrainEvent>([
      { type: 'done', step: 5000 },
      { type: 'failed', step: 2100, message: 'loss is NaN' },
    ])('keeps its last and its best weights, but no state, once it is $type', (ending) => {
      const folder = freshWorkspace()
      const store = storeIn(folder)
      const id = interrupted(store)
      store.beginRun(sampleRun())
      store.record(id, [start(2046), ending])
      expect(store.readState(id)).toBeNull()
      expect(textOf(store.readWeights(id))).toBe('weights 2046')
      expect(textOf(store.readWeights(id, 'best'))).toBe('best')
      expect(objectsIn(folder)).toEqual(['weights 2046', 'best'].map(hashOf).sort())
    })
  })

  describe('checkpoints', () => {
    it('take the place of those before, however many come', () => {
      const { folder, store, id } = trainingStore()
      for (const step of range(1, 16)) {
        store.record(id, [checkpoint(step, step % 7 === 0 ? `best ${step}` : undefined)])
        expect(objectsIn(folder).length).toBeLessThanOrEqual(3)
      }
      expect(objectsIn(folder)).toEqual(['weights 15', 'state 15', 'best 14'].map(hashOf).sort())
    })

    it('that cannot be recorded leave those before as they are', () => {
      const store = freshStore()
      const id = interrupted(store)
      const bad: TrainEvent = { type: 'metric', name: '', step: 1, value: 1 }
      expect(() => store.record(id, [checkpoint(3000, 'newer'), bad])).toThrow('metric.name')
      expect(store.findResumable([key], 'cpu')).toEqual([{ key, step: 2046 }])
      expect(textOf(store.readState(id))).toBe('state 2046')
      expect(textOf(store.readWeights(id, 'best'))).toBe('best')
    })

    it('that a crash left without a run go when somebody trains next', () => {
      const folder = freshWorkspace()
      const objects = openObjects(join(folder, '.mixlab/objects'))
      const store = storeIn(folder)
      interrupted(store)
      store.close()
      const orphan = objects.write(bytes('written, never committed'))
      const next = storeIn(folder)
      expect(objects.has(orphan)).toBe(true)
      next.beginRun(sampleRun())
      expect(objectsIn(folder)).toEqual(['weights 2046', 'state 2046', 'best'].map(hashOf).sort())
    })

    it('that are damaged or lost are named, and are whole once they are written again', () => {
      const folder = freshWorkspace()
      const store = storeIn(folder)
      const id = interrupted(store)
      const state = hashOf('state 2046')
      const path = join(folder, '.mixlab/objects', state.slice(0, 2), state.slice(2))
      writeFileSync(path, 'statE 2046')
      expect(() => store.readState(id)).toThrow(`${path}: is damaged`)
      store.record(id, [checkpoint(2046)])
      expect(textOf(store.readState(id))).toBe('state 2046')
      rmSync(path)
      expect(() => store.readState(id)).toThrow(`run ${id}: its checkpoint is missing: object ${state}`)
      for (const read of [store.readState, store.readWeights]) expect(() => read(99)).toThrow('run 99: no such run')
      const weights = hashOf('weights 2046')
      rmSync(join(folder, '.mixlab/objects', weights.slice(0, 2), weights.slice(2)))
      expect(() => store.readWeights(id)).toThrow(`run ${id}: its weights are missing: object ${weights}`)
      const bare = begun(store.beginRun(sampleRun({ variant: 'bare' })))
      expect(() => store.readWeights(bare)).toThrow(`run ${bare}: has no weights`)
    })
  })
})

describe('another backend', () => {
  const { key } = sampleRun()
  const bytes = new Uint8Array([1])
  const interrupted = [
    { type: 'checkpoint', step: 1, weights: bytes, state: bytes } as const,
    { type: 'interrupted', step: 1 } as const,
  ]

  it('lets an interrupted run go on elsewhere, and the run says so', () => {
    const { store, id } = trainingStore({ backend: 'webgl' })
    store.record(id, interrupted)
    expect(store.findResumable([key], 'simd')).toEqual([])

    store.changeBackend([id], 'simd')
    expect(store.findResumable([key], 'webgl')).toEqual([])
    expect(store.findResumable([key], 'simd')).toEqual([{ key, step: 1 }])
    expect(begun(store.beginRun(sampleRun({ backend: 'simd' })))).toBe(id)
    store.record(id, interrupted)
    store.changeBackend([id], 'simd')
    expect(store.listRuns()).toMatchObject([{ id, backend: 'webgl, simd' }])
    store.changeBackend([id], 'webgl')
    expect(store.listRuns()).toMatchObject([{ id, backend: 'webgl, simd, webgl' }])
  })

  it('refuses what is not interrupted, and then changes nothing', () => {
    const { store, id } = trainingStore({ backend: 'webgl' })
    store.record(id, interrupted)
    const done = begun(store.beginRun(sampleRun({ variant: 'done', backend: 'webgl' })))
    expect(() => store.changeBackend([id, done], 'simd')).toThrow(`run ${done}: is running, not interrupted`)
    store.record(done, [{ type: 'done', step: 1 }])
    expect(() => store.changeBackend([id, done], 'simd')).toThrow(`run ${done}: is done, not interrupted`)
    expect(() => store.changeBackend([id, 99], 'simd')).toThrow('run 99: no such run')
    expect(store.listRuns({ status: 'interrupted' })).toMatchObject([{ backend: 'webgl' }])
  })
})

describe('training again', () => {
  const { key } = sampleRun()
  const bytes = new Uint8Array([1])

  /** An attempt at the run that ends so. */
  function attempt(store: Store, type: 'done' | 'failed' | 'interrupted', backend = 'cpu'): number {
    const id = begun(store.beginRun(sampleRun({ backend })))
    store.record(id, [
      { type: 'checkpoint', step: 1, weights: bytes, state: bytes },
      ...(type === 'failed' ? [{ type, step: 1, message: 'no' } as const] : [{ type, step: 1 } as const]),
    ])
    return id
  }

  it('makes studies train a run again, and keeps what it was', () => {
    const store = freshStore()
    const done = attempt(store, 'done')
    expect(store.beginRun(sampleRun())).toBeNull()
    expect(store.trainAgain([done])).toEqual([done])
    expect(store.findDone([key])).toEqual([])
    expect(store.listRuns()).toMatchObject([{ id: done, status: 'done', archived: true }])
    expect(store.readWeights(done)).toEqual(bytes)

    const again = attempt(store, 'done')
    expect(again).not.toBe(done)
    expect(store.findDone([key])).toMatchObject([{ id: again, archived: false }])
    store.archiveRuns([again], true)
    store.archiveRuns([done], false)
    expect(store.findDone([key])).toMatchObject([{ id: done }])
  })

  it('archives every attempt at a run, also what another backend could go on from', () => {
    const store = freshStore()
    const ids = [attempt(store, 'failed'), attempt(store, 'interrupted', 'simd'), attempt(store, 'done')]
    expect(store.trainAgain([ids[2] ?? 0, ids[0] ?? 0])).toEqual(ids)
    expect(store.trainAgain(ids)).toEqual([])
    expect(store.findResumable([key], 'simd')).toEqual([])
    expect(ids).not.toContain(begun(store.beginRun(sampleRun({ backend: 'simd' }))))
  })

  it('refuses what is in training, and what there is not, and then archives nothing', () => {
    const store = freshStore()
    const done = attempt(store, 'done')
    const other = begun(store.beginRun(sampleRun({ variant: 'other' })))
    expect(() => store.trainAgain([done, other])).toThrow(`run ${other}: is in training; interrupt it first`)
    expect(() => store.trainAgain([done, 99])).toThrow('run 99: no such run')
    expect(store.findDone([key])).toHaveLength(1)
    store.archiveRuns([other], true)
    expect(store.beginRun(sampleRun({ variant: 'other' }))).toBeNull() // one at a time, archived or not
  })
})
