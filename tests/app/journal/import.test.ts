import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { encode } from '@msgpack/msgpack'
import { describe, expect, it } from 'vitest'
import { frameOf, framesIn } from '../../../app/journal/frames.ts'
import { importFolders } from '../../../app/journal/import.ts'
import type { StudyDesign } from '../../../engine/records/design.ts'
import { inColumns, type RecordedEvent } from '../../../engine/records/events.ts'
import { NUMERICS } from '../../../engine/records/numerics.ts'
import type { BegunRun } from '../../../engine/records/run.ts'
import { storeIn } from '../store/openedStores.ts'
import { freshFolder } from '../store/samples.ts'
import { asWorker, contentsOf, cutCopy, emptyStore, keyedRun, stepsOf, trainIn, workersOf } from './workers.ts'

describe('importing', () => {
  const whole = keyedRun('whole')
  const resumed = keyedRun('resumed')
  const begun = keyedRun('begun')
  const strange = keyedRun('strange')

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
      expect(expected?.find(({ variant }) => variant === 'resumed')?.loss?.steps).toEqual([
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
      ])
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
    const good = journals()
    /** A copy of journals of two workers. */
    function copied() {
      const folder = freshFolder()
      cpSync(good.folder, folder, { recursive: true })
      return { folder, first: join(folder, basename(good.first)) }
    }
    const journalOf = (...contents: unknown[]) => {
      const folder = join(freshFolder(), 'worker')
      mkdirSync(folder)
      writeFileSync(join(folder, 'journal'), Buffer.concat(contents.map((each) => frameOf(encode(each)))))
      return folder
    }
    const header = { type: 'journal', format: 2, id: '00c0ffee', mixlab: '9.9.9', numerics: NUMERICS }

    it.each([
      [
        'a folder without a journal',
        () => freshFolder(),
        /has no journal; expected a folder into which 'mixlab run --journal' has trained/,
      ],
      ['no folder', () => join(freshFolder(), 'none'), /none: cannot be read: does not exist/],
    ])('%s', (_, folder, message) => {
      const { store } = emptyStore()
      expect(() => importFolders(store, [folder()])).toThrow(message)
    })

    const begin = { type: 'begin', at: 1, from: null, run: { ...strange, attempt: 5 } }
    const told = { type: 'events', at: 2, key: strange.key, attempt: 5, first: 0 }
    const design: StudyDesign = { study: 'a', metric: 'loss', variants: [], runs: [] }
    const many = Array.from({ length: 10_001 }, (_, i) => ({ type: 'metric', step: 1, name: `m${i}`, value: 1 }))
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
    const tooDeep = new Uint8Array(200).fill(0x91)
    const unknown = /unknown entries, written by Mixlab 9.9.9, left out: 1$/
    const bad: [what: string, entries: unknown[], why: RegExp][] = [
      ['another file', [{ notes: 1 }], /journal: is no journal of runs, or its beginning is damaged$/],
      [
        'another format',
        [{ ...header, format: 3 }],
        /is a journal of format 3, written by Mixlab 9.9.9; this one reads format 2/,
      ],
      [
        'other numerics',
        [{ ...header, numerics: 1 }],
        /was written by Mixlab 9.9.9 with numerics 1, and here they are/,
      ],
      ['an unknown entry', [header, { type: 'dance', at: 1 }], unknown],
      ['an entry that is a number', [header, 7], unknown],
      ['a design without anything', [header, { type: 'design', at: 1, design: {} }], unknown],
      [
        'a design with a text of questions',
        [header, { type: 'design', at: 1, design: { ...design, questions: 'x' } }],
        unknown,
      ],
      [
        'a design with lists in lists',
        [header, { type: 'design', at: 1, design: { ...design, tuned: deep(90) } }],
        unknown,
      ],
      ['an entry of before all time', [header, { ...begin, at: -1e300 }], unknown],
      ['a run without a seed', [header, { ...begin, run: { ...begin.run, seed: null } }], unknown],
      ['a run without a number of its attempt', [header, { ...begin, run: strange }], unknown],
      [
        'a readout of another form',
        [header, { type: 'readout', at: 1, key: whole.key, readout: { value: 1 } }],
        unknown,
      ],
      [
        'a run with the key of another',
        [header, { ...begin, run: { ...begin.run, key: 'a'.repeat(64) } }],
        /journal: gating, strange, seed 0 \('aaaaaaaa'\): its key is not that of its spec/,
      ],
      [
        'a run with the seed of another',
        [header, { ...begin, run: { ...begin.run, seed: 99 } }],
        /seed 99 .*: its spec has another seed/,
      ],
      [
        'a run whose spec is none',
        [header, { ...begin, run: { ...begin.run, spec: { seed: 0, task: null } } }],
        /its key is not that of its spec/,
      ],
      [
        'events of another form',
        [header, begin, { ...told, events: [{ type: 'metric', step: -1 }] }],
        /record\.events/,
      ],
      [
        'more metrics than a run has',
        [header, begin, { ...told, events: many }],
        /has 10001 metrics, and at most 10000 are taken/,
      ],
      [
        'a file that is none',
        [header, begin, { ...told, events: [{ type: 'checkpoint', step: 1, weights: '../../journal' }] }],
        /a file of it is missing/,
      ],
    ]

    it.each(bad)('%s costs only itself', (_, entries, why) => {
      const { folder } = copied()
      cpSync(journalOf(...entries), join(folder, 'strange'), { recursive: true })
      const { store } = emptyStore()
      const { taken, refused, left } = importFolders(store, [folder])
      expect([...refused, ...left.map((each) => each.why)]).toEqual([expect.stringMatching(why)])
      expect(taken).toBe(3)
      const { store: other } = emptyStore()
      importFolders(other, [folder])
      expect(contentsOf(store)).toEqual(contentsOf(other))
    })

    it('is events that follow on none, and a link to itself, which are named', () => {
      const { folder } = copied()
      const stray = { ...told, events: [{ type: 'done', step: 1 }] }
      cpSync(journalOf(header, stray), join(folder, 'strange'), { recursive: true })
      mkdirSync(join(folder, 'looping'))
      symlinkSync('journal', join(folder, 'looping', 'journal'))
      const { refused, taken } = importFolders(emptyStore().store, [folder])
      expect([taken, refused]).toEqual([
        3,
        [
          expect.stringMatching(/looping\/journal: cannot be read: its symbolic links form a loop$/),
          expect.stringMatching(/strange\/journal: entries that follow on nothing, left out: 1$/),
        ],
      ])
    })

    it('is an entry or a file among others, each named, whatever it is replaced by', () => {
      const { folder, first } = copied()
      const { store: intact } = emptyStore()
      importFolders(intact, [folder])
      const file = readFileSync(join(first, 'journal'))
      const { contents } = framesIn(file)
      for (let at = 1; at < contents.length; at++) {
        for (const by of [
          encode({ type: 'dance' }),
          encode(null),
          new Uint8Array(),
          tooDeep,
          new Uint8Array([0xdd, 255]),
        ]) {
          const { store } = emptyStore()
          writeFileSync(join(first, 'journal'), Buffer.concat(contents.map((each, i) => frameOf(i === at ? by : each))))
          const { refused, taken } = importFolders(store, [folder])
          expect(refused).toEqual([expect.stringMatching(/left out: 1$/)])
          expect(taken).toBeGreaterThan(0)
          const others = contentsOf(intact).filter(({ variant }) => variant === 'begun') // of the second journal alone
          expect(contentsOf(store)).toEqual(expect.arrayContaining(others))
        }
      }
    })

    it('is an object that is a pipe, a folder, a link to a device, or damaged, and costs its own run alone', () => {
      const make: ((path: string) => void)[] = [
        (path) => execFileSync('mkfifo', [path]),
        (path) => mkdirSync(path),
        (path) => symlinkSync('/dev/zero', path),
        (path) => writeFileSync(path, 'x'),
        (path) => symlinkSync(path, path),
      ]
      for (const replace of make) {
        const { folder, first } = copied()
        const objects = join(first, 'objects')
        const weights = createHash('sha256')
          .update(Uint8Array.from([1, 10]))
          .digest('hex')
        const path = join(objects, weights.slice(0, 2), weights.slice(2))
        rmSync(path)
        replace(path)
        const { store } = emptyStore()
        const { refused, left, taken } = importFolders(store, [folder])
        expect(refused.length + left.length).toBe(1)
        expect(taken).toBe(2)
      }
    })

    it('is a name that a design gives to runs that are here', () => {
      const { folder, first } = copied()
      const { store } = emptyStore()
      importFolders(store, [folder])
      const before = contentsOf(store)
      const { study, key } = whole
      const runs = [{ variant: 'stolen', seed: 0, key }]
      const forged = { ...design, study, variants: [{ variant: 'stolen', settings: {}, intended: [] }], runs }
      const other = journalOf({ ...header, id: '00c0ffe0' }, { type: 'design', at: Date.now() + 1000, design: forged })
      expect(importFolders(store, [other, first]).refused).toEqual([])
      expect(contentsOf(store)).toEqual(before)
    })

    it('is an entry with a name of over 4,000 characters, and costs itself alone', () => {
      const long = { type: 'design', at: 1, design: { ...design, study: 'x'.repeat(4001) } }
      const run = { ...keyedRun('long'), variant: 'x'.repeat(4001), attempt: 1 }
      const other = journalOf(
        header,
        long,
        { type: 'begin', at: 1, run, from: null },
        { type: 'design', at: 1, design },
      )
      const { store } = emptyStore()
      const path = join(other, 'journal')
      expect(importFolders(store, [other]).refused).toEqual([
        `${path}: entries with a name of over 4000 characters, left out: 2`,
      ])
    })

    it('waits where a file of a run is missing', () => {
      const { folder, first } = copied()
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
})

describe('frames', () => {
  const contents = [[1, 2, 3], [], [9]].map((bytes) => Uint8Array.from(bytes))
  const file = Buffer.concat(contents.map(frameOf))
  const ends = [0, 15, 27, 40]

  it('reads what was written', () => {
    expect(framesIn(file)).toEqual({ contents: contents.map((each) => Buffer.from(each)), lost: 0, damaged: false })
  })

  it('stops before a frame that is cut off, wherever that is', () => {
    for (let length = 0; length <= file.length; length++) {
      const whole = ends.filter((end) => end <= length).length - 1
      const { contents, lost, damaged } = framesIn(file.subarray(0, length))
      expect([contents.length, lost, damaged]).toEqual([whole, 0, false])
    }
  })

  it('tells every bit that is another one: a damaged content costs itself, a damaged head what follows', () => {
    for (let at = 0; at < file.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = Buffer.from(file)
        changed[at] = (changed[at] ?? 0) ^ (1 << bit)
        const before = ends.filter((end) => end <= at).length - 1
        const inHead = at - (ends[before] ?? 0) < 12
        const { contents, lost, damaged } = framesIn(changed)
        expect([contents.length, lost, damaged]).toEqual(inHead ? [before, 0, true] : [2, 1, false])
      }
    }
  })
})
