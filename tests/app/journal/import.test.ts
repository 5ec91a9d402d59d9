import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encode } from '@msgpack/msgpack'
import { describe, expect, it } from 'vitest'
import { frameOf } from '../../../app/journal/frames.ts'
import { importFolders } from '../../../app/journal/import.ts'
import { inColumns, type RecordedEvent } from '../../../engine/records/events.ts'
import { NUMERICS } from '../../../engine/records/numerics.ts'
import type { BegunRun } from '../../../engine/records/run.ts'
import { freshFolder } from '../store/samples.ts'
import { asWorker, contentsOf, cutCopy, emptyStore, keyedRun, stepsOf, storeIn, trainIn, workersOf } from './workers.ts'

const whole = keyedRun('whole')
const resumed = keyedRun('resumed')
const begun = keyedRun('begun')

/** Journals of two workers, the first of which stops in the middle of a run that the second one goes on with. */
function journals(): { folder: string; first: string; second: string } {
  const folder = freshFolder()
  asWorker(folder, (store) => {
    trainIn(store, whole, 10, 'done')
    trainIn(store, resumed, 4)
  })
  const [first = ''] = workersOf(folder)
  asWorker(folder, (store) => {
    trainIn(store, resumed, 10, 'done')
    trainIn(store, begun, 6)
  })
  const second = workersOf(folder).find((each) => each !== first) ?? ''
  return { folder, first, second }
}

describe('journals of two workers', () => {
  const { folder, first, second } = journals()

  it('make the store that one worker makes, whichever is imported first, and however often', () => {
    const orders = [[folder], [folder, folder], [first, second, first], [second, first, second]]
    const [expected, ...others] = orders.map((order) => {
      const { store } = emptyStore()
      for (const each of order) importFolders(store, [each])
      return contentsOf(store)
    })
    expect(expected?.map(({ variant, status, step }) => [variant, status, step]).sort()).toEqual([
      ['begun', 'interrupted', 6],
      ['resumed', 'done', 10],
      ['whole', 'done', 10],
    ])
    expect(expected?.find(({ variant }) => variant === 'resumed')?.loss?.steps).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    for (const other of others) expect(other).toEqual(expected)
  })

  it('make the same store where a copy was cut off, at whatever byte, and the rest came later', () => {
    const { store } = emptyStore()
    importFolders(store, [folder])
    const expected = contentsOf(store)
    const length = readFileSync(join(first, 'journal')).length
    for (const bytes of [0, 3, 200, length - 700, length - 300, length - 5]) {
      const { store } = emptyStore()
      importFolders(store, [cutCopy(first, () => bytes)])
      importFolders(store, [second])
      importFolders(store, [second, first])
      expect(contentsOf(store)).toEqual(expected)
    }
  })

  it('say what is new: nothing the second time, and what waits for another journal', () => {
    const { store } = emptyStore()
    const waits = {
      variant: 'resumed',
      why: 'it goes on from an attempt in another journal, which is not there or not whole',
    }
    expect(importFolders(store, [second])).toMatchObject({ taken: 1, done: 0, left: [waits] })
    expect(importFolders(store, [folder])).toMatchObject({ journals: 2, taken: 2, done: 2, known: 1, left: [] })
    expect(importFolders(store, [folder])).toMatchObject({ taken: 0, known: 3, left: [] })
  })

  it('are taken by a store that is open elsewhere, which sees them at once', () => {
    const { store, folder: workspace } = emptyStore()
    const desktop = storeIn(workspace)
    desktop.beginRun(keyedRun('here'))
    importFolders(store, [folder])
    expect(desktop.listRuns({ status: 'done' })).toHaveLength(2)
    expect(desktop.listRuns({ status: 'running' })).toHaveLength(1)
  })

  it('leave a run alone that is done here, or in training, and take over one that stopped', () => {
    const { store, folder: workspace } = emptyStore()
    const desktop = storeIn(workspace)
    const done = trainIn(desktop, whole, 10, 'done')
    trainIn(desktop, begun, 2)
    trainIn(desktop, resumed, 2, 'interrupted')
    const { left, taken } = importFolders(store, [folder])
    expect(left).toMatchObject([{ variant: 'begun', why: 'it is in training here' }])
    expect(taken).toBe(1)
    expect(store.listRuns().filter(({ key }) => key === whole.key)).toMatchObject([{ id: done, status: 'done' }])
    expect(store.listRuns({ variant: 'resumed' })).toMatchObject([{ status: 'done', step: 10 }])
  })

  it('refuse what they have once the store went on with a run', () => {
    const { store } = emptyStore()
    importFolders(store, [folder])
    trainIn(store, begun, 8, 'interrupted')
    const before = contentsOf(store)
    expect(importFolders(store, [folder])).toMatchObject({ taken: 0, known: 3, left: [] })
    expect(contentsOf(store)).toEqual(before)
  })
})

describe('points that come in columns', () => {
  it('are one event of a journal, and a run that goes on behind them is whole', () => {
    const folder = freshFolder()
    asWorker(folder, (store) => {
      const { id, epoch } = store.beginRun(resumed) as BegunRun
      const [points, checkpoint] = inColumns(stepsOf(0, 20)) as [RecordedEvent, RecordedEvent]
      store.record(id, [{ type: 'start', steps: 30, parameters: 7 }], { epoch, batch: 1 })
      store.record(id, [points, checkpoint], { epoch, batch: 22 })
      store.record(id, [{ type: 'interrupted', step: 20 }], { epoch })
      trainIn(store, resumed, 30, 'done')
    })
    const { store } = emptyStore()
    expect(importFolders(store, [folder])).toMatchObject({ taken: 1, done: 1, left: [] })
    expect(contentsOf(store)).toMatchObject([{ status: 'done', step: 30, loss: { steps: { length: 30 } } }])
  })
})

describe('an attempt that was made elsewhere meanwhile', () => {
  it('is another one in every store: none is made of two', () => {
    const [a, b] = [freshFolder(), freshFolder()]
    for (const [folder, to] of [
      [a, 4],
      [b, 6],
    ] as const) {
      asWorker(folder, (store) => trainIn(store, begun, to))
    }
    const both = [
      [a, b],
      [b, a],
    ].map((order) => {
      const { store } = emptyStore()
      for (const folder of [...order, ...order]) importFolders(store, [folder])
      return contentsOf(store).map((run) => ({ ...run, ms: null, startedAt: null })) // the time of what was taken over counts
    })
    expect(both[0]).toEqual(both[1])
    expect([4, 6]).toContain(both[0]?.[0]?.loss?.steps.length)
  })

  it('is not begun again by a worker that finds it done', () => {
    const folder = freshFolder()
    asWorker(folder, (other) => {
      asWorker(folder, (store) => trainIn(store, whole, 10, 'done'))
      expect(other.beginRun(whole)).toBeNull()
      const [found] = other.findDone([whole.key])
      expect(other.readWeights(found?.id ?? 0)).toEqual(Uint8Array.from([1, 10]))
    })
  })
})

describe('what cannot be imported', () => {
  const journalOf = (...contents: unknown[]) => {
    const folder = join(freshFolder(), 'worker')
    mkdirSync(folder)
    writeFileSync(join(folder, 'journal'), Buffer.concat(contents.map((each) => frameOf(encode(each)))))
    return folder
  }
  const header = { type: 'journal', format: 1, id: '00c0ffee', mixlab: '9.9.9', numerics: NUMERICS }

  it.each([
    [
      'a folder without a journal',
      () => freshFolder(),
      /has no journal; expected a folder into which 'mixlab run --journal' has trained/,
    ],
    ['no folder', () => join(freshFolder(), 'none'), /none: cannot be read: does not exist/],
    ['another file', () => journalOf({ notes: 1 }), /journal: is no journal of runs/],
    [
      'another format',
      () => journalOf({ ...header, format: 2 }),
      /is a journal of format 2, written by Mixlab 9.9.9; this one reads format 1/,
    ],
    [
      'other numerics',
      () => journalOf({ ...header, numerics: 1 }),
      /was written by Mixlab 9.9.9 with numerics 1, and here they are/,
    ],
    [
      'an unknown entry',
      () => journalOf(header, { type: 'dance', at: 1 }),
      /has an unknown entry, written by Mixlab 9.9.9/,
    ],
    [
      'a run with the key of another',
      () => journalOf(header, { type: 'begin', at: 1, from: null, run: { ...whole, key: 'a'.repeat(64), attempt: 5 } }),
      /run 'aaaaaaaa': its key is not that of its spec/,
    ],
    [
      'events of another form',
      () =>
        journalOf(
          header,
          { type: 'begin', at: 1, from: null, run: { ...whole, attempt: 5 } },
          { type: 'events', at: 2, key: whole.key, attempt: 5, first: 0, events: [{ type: 'metric', step: -1 }] },
        ),
      /record\.events/,
    ],
  ])('%s', (_, folder, message) => {
    const { store } = emptyStore()
    expect(() => importFolders(store, [folder()])).toThrow(message)
    expect(store.listRuns()).toEqual([])
  })

  it('is named where others can be, and left out', () => {
    const { folder } = journals()
    const strange = join(folder, 'strange')
    mkdirSync(strange)
    copyFileSync(join(journalOf({ ...header, format: 2 }), 'journal'), join(strange, 'journal'))
    const { store } = emptyStore()
    expect(importFolders(store, [folder])).toMatchObject({ taken: 3, refused: [expect.stringContaining('format 2')] })
  })

  it('waits where a file of a run is missing', () => {
    const { folder, first } = journals()
    const { store } = emptyStore()
    const copy = cutCopy(first, (length) => length)
    rmSync(join(copy, 'objects'), { recursive: true })
    const left = ['whole', 'resumed'].map((variant) => ({
      variant,
      why: `a file of it is missing beside ${join(copy, 'journal')}`,
    }))
    expect(importFolders(store, [copy])).toMatchObject({ taken: 0, left })
    expect(importFolders(store, [folder])).toMatchObject({ taken: 3, left: [] })
  })
})
