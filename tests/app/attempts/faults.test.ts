import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { EXIT } from '../../../app/cli/command.ts'
import { connectDatabase } from '../../../app/store/database.ts'
import type { Store } from '../../../app/store/index.ts'
import { allObjectsOf } from '../../../app/store/runObjects.ts'
import { integer, keyOf } from '../../../engine/random.ts'
import { LONG, sample } from '../../long.ts'
import { freshFolder, mixlab, sharedFolder, writeNotebook } from '../cli/recorder.ts'
import { storeIn } from '../store/openedStores.ts'
import { resultsIn } from '../store/results.ts'
import { disturbed, isGone, started } from './disturbed.ts'

const NOTEBOOK = disturbed()
const STEPS = Array.from({ length: 200 }, (_, i) => i + 1)

/** An optimizer with a state of any shape, a second gradient and other weights to evaluate. */
const OPTIMIZER = `// %% optimizer
import { add, div, mul, optimizer, sub, sum } from 'mixlab'
import * as tf from '@tensorflow/tfjs'
const own = optimizer('own', { learningRate: 0.01, share: 0.1 }, {
  state: (weight) => ({ slow: weight, total: tf.scalar(1) }),
  scalars: ({ step, options: { share } }) => ({ kept: 1 - share ** step }),
  secondGradient: ({ weight, gradient, norm }) => add(weight, mul(gradient, div(0.05, add(norm, 1e-9)))),
  update: ({ weight, gradient, slow, total, kept, learningRate, options: { share } }) => ({
    weight: sub(weight, mul(gradient, div(learningRate, tf.sqrt(total)))),
    slow: add(mul(slow, kept), mul(weight, sub(1, kept))),
    total: add(total, mul(share, sum(tf.square(gradient)))),
  }),
  evaluationWeights: ({ slow }) => slow,
})

${disturbed({ variants: '{ mixer }', steps: 60, evalEvery: 20, checkpointEvery: 10 }).replace('lamb(), mixup: 0.8, ema: 0.9', 'own(), mixup: 0.8')}`

const wordsFor = (folder: string, notebook = NOTEBOOK) => [
  'run',
  writeNotebook(folder, notebook),
  '--workspace',
  folder,
]
/** A line of a run, beside what is said of variants before training. */
const isOfRun = (line: string) => /, seed \d+: /.test(line)
const lossesIn = (store: Store) =>
  store.listRuns().reduce((sum, { metrics }) => sum + (metrics['train/loss']?.count ?? 0), 0)

/** How a run gets to where it is trained and its results come back. */
interface Transport {
  words(folder: string): string[]
  /** How much has come: losses, or checkpoints. */
  come(folder: string, store: Store): number
  /** Brings what is there into the store. */
  take(folder: string): Promise<unknown>
}
const TRANSPORTS = {
  pipe: { words: (folder) => wordsFor(folder), come: (_, store) => lossesIn(store), take: async () => {} },
  folder: {
    words: (folder) => [...wordsFor(folder), '--journal', join(folder, 'journals'), '--threads', '1'],
    come(folder) {
      const all = existsSync(join(folder, 'journals')) ? readdirSync(join(folder, 'journals')) : []
      return all.filter((worker) => existsSync(join(folder, 'journals', worker, 'objects'))).length
    },
    take: (folder) => mixlab(['import', join(folder, 'journals'), '--workspace', folder]),
  },
} satisfies Record<string, Transport>

/** Each a transport, and what a process gets once so much has come, with what comes of it; queues and Slurm have theirs. */
type Fault = [signal: NodeJS.Signals, once: number, ends: { code?: number; killed?: string }]
const interrupted = { code: EXIT.interrupted }
const killed = { killed: 'SIGKILL' }
const handedBack = { code: EXIT.handedBack }
const TABLE: [transport: keyof typeof TRANSPORTS, faults: Fault[]][] = [
  [
    'pipe',
    [
      ['SIGINT', 25, interrupted],
      ['SIGKILL', 73, killed],
    ],
  ],
  ['folder', [['SIGUSR1', 1, handedBack]]],
  ...(LONG ? ([['folder', [['SIGTERM', 1, handedBack]]]] satisfies [keyof typeof TRANSPORTS, Fault[]][]) : []),
]

describe('a run that is stopped', () => {
  const whole = sharedFolder()
  beforeAll(() => mixlab(wordsFor(whole)))

  it.each(TABLE)(
    'goes on from its checkpoint, with the bits of one never stopped: %s, %j',
    async (transport, faults) => {
      const folder = freshFolder()
      const store = storeIn(folder)
      const { words, come, take }: Transport = TRANSPORTS[transport]
      let step = 0
      for (const [signal, once, ends] of faults) {
        const { child, ended } = started(words(folder))
        await expect.poll(() => come(folder, store), { interval: 20 }).toBeGreaterThanOrEqual(once)
        child.kill(signal)
        expect(await ended).toMatchObject(ends)
        if (step > 0) expect((await ended).said).toContain(`mixed, seed 1: resumes at step ${step}\n`)
        await take(folder)
        const [run, ...others] = store.listRuns()
        expect([run?.status, others]).toEqual(['interrupted', []])
        const before = step
        step = store.findResumable([run?.key ?? ''], 'simd')[0]?.step ?? 0
        expect(step).toBeGreaterThan(before)
        if (signal !== 'SIGKILL') {
          expect(step).toBe(run?.step)
          continue
        }
        expect([step % 20, step >= once - 20]).toEqual([0, true])
        const logged = run?.metrics['train/loss']
        expect(logged?.count).toBe(logged?.lastStep)
        expect(logged?.lastStep).toBeGreaterThanOrEqual(once)
      }
      const rest = await mixlab(words(folder))
      await take(folder)
      expect(rest.err.filter(isOfRun)).toEqual([`mixed, seed 1: resumes at step ${step}`, 'mixed, seed 1: done'])
      expect(resultsIn(folder)).toEqual(resultsIn(whole))
      expect(store.readSeries([1], 'train/loss')[0]?.steps).toEqual(STEPS)
      // its last weights, its best ones, which may be the same, and what it came to on each test example
      expect(
        objectsIn(folder)
          .map((path) => basename(dirname(path)) + basename(path))
          .sort(),
      ).toEqual(keptBy(folder))
      expect(keptBy(folder).length).toBeLessThanOrEqual(3)
    },
  )

  it.runIf(LONG).each([
    ['one at a time', []],
    ['side by side', ['--jobs', '2']],
  ])('is one of twelve short ones that are all done after kill -9 at ten moments: %s', async (_, more) => {
    const notebook = disturbed({ steps: 60, seeds: 12 })
    const doneIn = (folder: string) => resultsIn(folder).filter(({ status }) => status === 'done')
    const [folder, undisturbed] = [freshFolder(), freshFolder()]
    const store = storeIn(folder)
    let before: unknown[] = []
    for (let kill = 0; kill < 10; kill++) {
      const losses = 20 + 65 * kill + integer(keyOf(more.length, 'kills'), kill, 65)
      const { child, ended } = started([...wordsFor(folder, notebook), ...more])
      await expect.poll(() => lossesIn(store), { interval: 20 }).toBeGreaterThanOrEqual(losses)
      child.kill('SIGKILL')
      await ended
      const done = doneIn(folder)
      expect(done).toEqual(expect.arrayContaining(before)) // which stay as they are
      before = done
    }
    expect((await mixlab([...wordsFor(folder, notebook), ...more])).code).toBe(0)
    await mixlab(wordsFor(undisturbed, notebook))
    expect(doneIn(folder)).toHaveLength(12)
    expect(doneIn(folder)).toEqual(doneIn(undisturbed))
  })

  it.runIf(LONG)('goes on after kill -9 with the bits of one never stopped, with an optimizer of a cell', async () => {
    const [folder, undisturbed] = [freshFolder(), freshFolder()]
    const store = storeIn(folder)
    const { child, ended } = started(wordsFor(folder, OPTIMIZER))
    await expect.poll(() => lossesIn(store), { interval: 20 }).toBeGreaterThanOrEqual(25)
    child.kill('SIGKILL')
    await ended
    const rest = await mixlab(wordsFor(folder, OPTIMIZER))
    expect(rest.err.filter(isOfRun)).toEqual([
      expect.stringMatching(/^mixer, seed 1: resumes at step [2345]0$/),
      'mixer, seed 1: done',
    ])
    await mixlab(wordsFor(undisturbed, OPTIMIZER))
    expect(resultsIn(folder)).toEqual(resultsIn(undisturbed))
  })

  /** Begins a run, and interrupts it after some steps. */
  async function begun(...more: string[]) {
    const folder = freshFolder()
    const abort = new AbortController()
    const redraw = (line: string) => void (/ [1-9]\d*\/200/.test(line) && abort.abort())
    await mixlab([...wordsFor(folder), ...more], { signal: abort.signal, redraw })
    return { folder, store: storeIn(folder) }
  }
  const isWhole = (store: Store) => {
    expect(store.listRuns()).toMatchObject([{ status: 'done', step: 200 }])
    expect(store.readSeries([1], 'train/loss')[0]?.steps).toEqual(STEPS)
  }

  it.runIf(LONG)('whose checkpoint is damaged is trained anew, with a warning and without a gap', async () => {
    const { folder, store } = await begun()
    for (const path of objectsIn(folder)) writeFileSync(path, 'damaged')
    const { code, err } = await mixlab(wordsFor(folder))
    expect(code).toBe(0)
    expect(err.filter(isOfRun)).toEqual([
      expect.stringMatching(/^mixed, seed 1: resumes at step \d+$/),
      expect.stringMatching(/^mixed, seed 1: .* is damaged: .*; training starts anew$/),
      'mixed, seed 1: done',
    ])
    isWhole(store)
  })

  it.runIf(LONG)('goes on on another backend where that is asked for, and says so', async () => {
    const { folder, store } = await begun('--backend', 'cpu')
    const { code, err } = await mixlab([...wordsFor(folder), '--move'])
    expect(code).toBe(0)
    expect(err.slice(0, 2)).toEqual([
      'long: 1 run interrupted on cpu continues on simd',
      expect.stringMatching(/^mixed, seed 1: resumes at step \d+$/),
    ])
    isWhole(store)
    expect(store.listRuns()).toMatchObject([{ backend: 'cpu, simd' }])
    const offer = (await mixlab(wordsFor(folder))).err
    expect(offer).toContain('long: 1 of 1 run was trained on cpu, simd; --again cpu trains it on simd')
  })
})

/** The files of all objects. */
function objectsIn(folder: string): string[] {
  const root = join(folder, '.mixlab/objects')
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /[\da-f]{62}$/.test(name)).map((name) => join(root, name))
}

/** The hashes of the objects that run 1 of the store keeps, in order. */
function keptBy(folder: string): string[] {
  const database = connectDatabase(join(folder, '.mixlab/mixlab.db'))
  onTestFinished(() => database.close())
  return [...new Set(allObjectsOf(database, 1))].sort()
}

const ENDLESS = `// %% endless
console.log('cell in process ' + process.pid)
for (;;) {}
`
/** As endless for the process, but leaves the processor to others. */
const SLEEP = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
/** A block that reads values runs anew at each step; after some it never returns. */
const STUCK = `// %% endless
import { add, block, compare, dense, image, shapes } from 'mixlab'
let steps = 0
export const stuck = block('stuck', (x, { dim }) => {
  const y = dense(x, dim)
  y.mean().dataSync()
  if (++steps > 60) {
    console.log('stuck')
    ${SLEEP}
  }
  return add(x, y)
})
export const long = compare('long', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { stuck },
  train: { steps: 5000, batch: 8, logEvery: 1, checkpointEvery: { steps: 5 } },
  seeds: 1,
})
`

describe('cells that never end', () => {
  /** The command line, and the process of its cells. */
  function running(text: string) {
    const folder = freshFolder()
    const { heard, ...all } = started([...wordsFor(folder, text), '--backend', 'simd'])
    const cells = async () => {
      await all.says('cell in process')
      return Number(/process (\d+)/.exec(heard())?.[1])
    }
    return { ...all, folder, cells }
  }

  it.each(sample(['SIGINT', 'SIGTERM'] as const))('by %s: the first says how, the second does it', async (signal) => {
    const { child, ended, says, cells } = running(ENDLESS.replace('for (;;) {}', SLEEP))
    const pid = await cells()
    child.kill(signal)
    await says('Ctrl-C again ends it at once')
    child.kill(signal)
    expect(await ended).toMatchObject({ ...interrupted, said: expect.stringContaining('interrupted at once') })
    await expect.poll(() => isGone(pid)).toBe(true)
  })

  it('by a second Ctrl-C during training that is stuck: the run goes on', async () => {
    const { folder, child, ended, says } = running(STUCK)
    await says('stuck\n')
    child.kill('SIGINT')
    await says('Ctrl-C again ends it at once')
    child.kill('SIGINT')
    expect(await ended).toMatchObject(interrupted)
    const [run] = storeIn(folder).listRuns()
    expect(run).toMatchObject({ status: 'interrupted' })
    expect(run?.step).toBeGreaterThan(0)
  })

  it('by a kill of their process before it trains, which is an error', async () => {
    const { ended, cells } = running(ENDLESS)
    process.kill(await cells(), 'SIGKILL')
    const said = expect.stringContaining('mixlab: the process in which the cells run has ended: SIGKILL')
    expect(await ended).toMatchObject({ code: EXIT.error, said })
  })

  it('end with their parent, whatever they do', async () => {
    const { child, ended, cells } = running(ENDLESS)
    const pid = await cells()
    child.kill('SIGKILL')
    expect(await ended).toMatchObject(killed)
    await expect.poll(() => isGone(pid)).toBe(true)
  })
})
