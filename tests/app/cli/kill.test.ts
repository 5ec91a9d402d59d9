import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EXIT } from '../../../app/cli/command.ts'
import { connectDatabase } from '../../../app/store/database.ts'
import type { Store } from '../../../app/store/index.ts'
import { allObjectsOf } from '../../../app/store/runObjects.ts'
import { integer, keyOf } from '../../../engine/random.ts'
import type { StoredRun } from '../../../engine/records/run.ts'
import { isTiming } from '../../../engine/train/timings.ts'
import { LONG } from '../../long.ts'
import { storeAt } from '../store/samples.ts'
import { freshFolder, mixlab, writeNotebook } from './recorder.ts'

const NOTEBOOK = `// %% block
import { block, dense, dropout, gelu, residual, tokenDense } from 'mixlab'
export const mixed = block('mixed', (x, { dim }) =>
  residual(x, dropout(dense(gelu(tokenDense(x)), dim), 0.2)),
)

// %% study
import { compare, image, lamb, shapes } from 'mixlab'
export const long = compare('long', {
  task: image({ data: shapes({ train: 64, test: 20, size: 16 }) }),
  model: { patch: 4, dim: 16, depth: 2 },
  variants: { mixed },
  train: {
    steps: 200, batch: 16, optimizer: lamb(), mixup: 0.8, ema: 0.9, logEvery: 1, evalEvery: 50,
    checkpointEvery: { steps: 20 },
  },
  seeds: 1,
})
`
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

// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const long = compare('long', {
  task: image({ data: shapes({ train: 64, test: 20, size: 16 }) }),
  model: { patch: 4, dim: 8, depth: 1 },
  variants: { mixer },
  train: {
    steps: 60, batch: 8, optimizer: own(), mixup: 0.8, logEvery: 1, evalEvery: 20, checkpointEvery: { steps: 10 },
  },
  seeds: 1,
})
`
const STEPS = Array.from({ length: 200 }, (_, i) => i + 1)

const wordsFor = (folder: string, notebook = NOTEBOOK) => {
  return ['run', writeNotebook(folder, notebook), '--workspace', folder]
}

const lossesIn = (store: Store) =>
  store.listRuns().reduce((sum, { metrics }) => sum + (metrics['train/loss']?.count ?? 0), 0)

/** Starts the command line in a process, and sends it `signal` once so many losses, of all runs, are in the store. */
async function stoppedAfter(
  losses: number,
  signal: 'SIGINT' | 'SIGKILL',
  folder: string,
  store: Store,
  words = wordsFor(folder),
) {
  const script = resolve(import.meta.dirname, '../../../app/mixlab.js')
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  let said = ''
  child.stderr.on('data', (data) => {
    said += data
  })
  await expect.poll(() => lossesIn(store), { interval: 20 }).toBeGreaterThanOrEqual(losses)
  child.kill(signal)
  const [code, killed] = await ended
  return { code, killed, said }
}

/** The files of all objects. */
function objectsIn(folder: string): string[] {
  const root = join(folder, '.mixlab/objects')
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /[\da-f]{62}$/.test(name)).map((name) => join(root, name))
}

const hashOf = (path: string) => basename(dirname(path)) + basename(path)

/** The hashes of the objects that run 1 of the store keeps, in order. */
function keptBy(folder: string): string[] {
  const database = connectDatabase(join(folder, '.mixlab/mixlab.db'))
  onTestFinished(() => database.close())
  return [...new Set(allObjectsOf(database, 1))].sort()
}

/** All that the first run has logged and learned, but for times; of those only the steps. */
function resultOf(store: Store) {
  const [run] = store.listRuns()
  if (!run) throw new Error('the store has no run')
  return resultOfRun(store, run)
}

function resultOfRun(store: Store, run: StoredRun) {
  const series = Object.keys(run.metrics).map((name) => {
    const [{ steps, values } = { steps: [], values: [] }] = store.readSeries([run.id], name)
    return { name, steps, values: isTiming(name) ? null : values }
  })
  const { last, best } = { last: store.readWeights(run.id), best: store.readWeights(run.id, 'best') }
  return { key: run.key, status: run.status, step: run.step, series, last, best }
}

/** A line of a run, beside what is said of variants before training. */
const isOfRun = (line: string) => /, seed \d+: /.test(line)

describe('a stopped run', () => {
  it('goes on after Ctrl-C and after kill -9, with the bits of one never stopped', async () => {
    const folder = freshFolder()
    const store = storeAt(folder)
    const stopped = await stoppedAfter(25, 'SIGINT', folder, store)
    expect(stopped.code).toBe(EXIT.interrupted)
    const [first] = store.listRuns()
    expect(first).toMatchObject({ status: 'interrupted' })
    const key = first?.key ?? ''
    expect(store.findResumable([key], 'simd')).toEqual([{ key, step: first?.step }])

    const killed = await stoppedAfter(73, 'SIGKILL', folder, store)
    expect(killed).toMatchObject({
      killed: 'SIGKILL',
      said: expect.stringContaining(`mixed, seed 1: resumes at step ${first?.step}\n`),
    })
    const [second] = store.listRuns()
    expect(second).toMatchObject({ id: first?.id, status: 'interrupted' })
    const step = store.findResumable([key], 'simd')[0]?.step ?? 0
    expect(step % 20).toBe(0)
    expect(step).toBeGreaterThanOrEqual(60)
    const logged = second?.metrics['train/loss']
    expect(logged?.count).toBe(logged?.lastStep)
    expect(logged?.lastStep).toBeGreaterThanOrEqual(73)

    const rest = await mixlab(wordsFor(folder))
    expect(rest.err.filter(isOfRun)).toEqual([`mixed, seed 1: resumes at step ${step}`, 'mixed, seed 1: done'])
    const whole = freshFolder()
    await mixlab(wordsFor(whole))
    const reference = storeAt(whole)
    expect(resultOf(store)).toEqual(resultOf(reference))
    expect(store.readSeries([first?.id ?? 0], 'train/loss')[0]?.steps).toEqual(STEPS)
    expect(store.listRuns()).toHaveLength(1)
    for (const each of [store, reference]) each.close()

    // its last weights, its best ones, which may be the same, and what it came to on each test example
    expect(objectsIn(folder).map(hashOf).sort()).toEqual(keptBy(folder))
    expect(keptBy(folder).length).toBeLessThanOrEqual(3)
  })

  it.runIf(LONG).each([
    ['one at a time', []],
    ['side by side', ['--jobs', '2']],
  ])('is one of twelve short ones that are all done after kill -9 at ten moments: %s', async (_, more) => {
    const notebook = NOTEBOOK.replace('steps: 200', 'steps: 60').replace('seeds: 1', 'seeds: 12')
    const doneIn = (store: Store) => {
      const done = store.listRuns().filter(({ status }) => status === 'done')
      return done.map((run) => resultOfRun(store, run)).sort((a, b) => a.key.localeCompare(b.key))
    }
    const [folder, whole] = [freshFolder(), freshFolder()]
    const store = storeAt(folder)
    let ended: unknown[] = []
    for (let kill = 0; kill < 10; kill++) {
      const losses = 20 + 65 * kill + integer(keyOf(more.length, 'kills'), kill, 65)
      await stoppedAfter(losses, 'SIGKILL', folder, store, [...wordsFor(folder, notebook), ...more])
      const done = doneIn(store)
      expect(done).toEqual(expect.arrayContaining(ended)) // which stay as they are
      ended = done
    }
    expect((await mixlab([...wordsFor(folder, notebook), ...more])).code).toBe(0)
    await mixlab(wordsFor(whole, notebook))
    const reference = storeAt(whole)
    expect(doneIn(store)).toHaveLength(12)
    expect(doneIn(store)).toEqual(doneIn(reference))
    for (const each of [store, reference]) each.close()
  })

  it.runIf(LONG)('goes on after kill -9 with the bits of one never stopped, with an optimizer of a cell', async () => {
    const folder = freshFolder()
    const store = storeAt(folder)
    const words = wordsFor(folder, OPTIMIZER)
    expect(await stoppedAfter(25, 'SIGKILL', folder, store, words)).toMatchObject({ killed: 'SIGKILL' })
    const rest = await mixlab(words)
    expect(rest.err.filter(isOfRun)).toEqual([
      expect.stringMatching(/^mixer, seed 1: resumes at step [2345]0$/),
      'mixer, seed 1: done',
    ])
    const whole = freshFolder()
    await mixlab(wordsFor(whole, OPTIMIZER))
    const reference = storeAt(whole)
    expect(resultOf(store)).toEqual(resultOf(reference))
    for (const each of [store, reference]) each.close()
  })

  it.runIf(LONG)('whose checkpoint is damaged is trained anew, with a warning and without a gap', async () => {
    const folder = freshFolder()
    const abort = new AbortController()
    await mixlab(wordsFor(folder), { signal: abort.signal, redraw: () => abort.abort() })
    const store = storeAt(folder)
    for (const path of objectsIn(folder)) writeFileSync(path, 'damaged')
    const { code, err } = await mixlab(wordsFor(folder))
    expect(code).toBe(0)
    expect(err.filter(isOfRun)).toEqual([
      expect.stringMatching(/^mixed, seed 1: resumes at step \d+$/),
      expect.stringMatching(/^mixed, seed 1: .* is damaged: .*; training starts anew$/),
      'mixed, seed 1: done',
    ])
    expect(resultOf(store)).toMatchObject({ status: 'done', step: 200 })
    expect(store.readSeries([1], 'train/loss')[0]?.steps).toEqual(STEPS)
    store.close()
  })

  it.runIf(LONG)('goes on on another backend where that is asked for, and says so', async () => {
    const folder = freshFolder()
    const abort = new AbortController()
    const begun = [...wordsFor(folder), '--backend', 'cpu']
    await mixlab(begun, { signal: abort.signal, redraw: () => abort.abort() })
    const store = storeAt(folder)

    const words = [...wordsFor(folder), '--move']
    const { code, err } = await mixlab(words)
    expect(code).toBe(0)
    expect(err.slice(0, 2)).toEqual([
      'long: 1 run interrupted on cpu continues on simd',
      expect.stringMatching(/^mixed, seed 1: resumes at step \d+$/),
    ])
    expect(store.listRuns()).toMatchObject([{ status: 'done', step: 200, backend: 'cpu, simd' }])
    const offer = (await mixlab(wordsFor(folder))).err
    expect(offer).toContain('long: 1 of 1 run was trained on cpu, simd; --again cpu trains it on simd')
    expect(store.readSeries([1], 'train/loss')[0]?.steps).toEqual(STEPS)
    store.close()
  })
})
