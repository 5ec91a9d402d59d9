import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { dispose } from '@tensorflow/tfjs-core'
import { spawnAugmenter } from '../../app/augmenter.ts'
import { useBackend as startBackend } from '../../app/backends.ts'
import { countedThreads } from '../../engine/data/augment/thread.ts'
import { shapes } from '../../engine/data/images/shapes.ts'
import { image, resolveTask, taskKind } from '../../engine/tasks/index.ts'
import { resolveRecipe } from '../../engine/train/recipe.ts'

// Rows about what surrounds a training step: reading, drawing and augmenting batches, and starting processes.

/** A row: seconds or a share, and what else was seen meanwhile. */
export interface ReadingRow {
  name: string
  seconds?: number
  share?: number
  unit: 's' | 'share'
  notes: string
}

const ROOT = resolve(import.meta.dirname, '../..')
const TICKS_PER_SECOND = 100

/** `mixlab run` of the first ready notebook in a new workspace, start and verdict included; `root` is where Mixlab stands. */
export function firstNotebook(jobs: number, root = ROOT): ReadingRow {
  const workspace = mkdtempSync(join(tmpdir(), 'mixlab-pace-'))
  const notebook = join(root, 'experiments/first-comparison.ts')
  const words = ['run', notebook, '--backend', 'simd', '--jobs', String(jobs), '--workspace', workspace]
  const [since, before] = [performance.now(), childrensProcessor()]
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'app/mixlab.js'), ...words])
  const seconds = (performance.now() - since) / 1000
  rmSync(workspace, { recursive: true, force: true })
  if (status !== 0) throw new Error(String(stderr))
  const processor = childrensProcessor() - before
  const name = jobs === 1 ? 'first notebook' : `first notebook, ${jobs} jobs`
  return { name, seconds, unit: 's', notes: `${processor.toFixed(1)} s of processor time` }
}

/**
 * The share of training that waits for batches with RandAugment where a step takes `stepMs`, after the first ten steps. The
 * step here is a loop that keeps one core busy; `batch` pictures of 32 pixels are read again, not drawn.
 */
export async function waitingForRandAugment({ stepMs = 22, batch = 256, steps = 60, most = spawnAugmenter.most } = {}) {
  await startBackend('cpu', 1) // holds the batches
  const spec = resolveTask(image({ data: shapes({ train: 2 * batch, test: 16 }) }))
  const task = await taskKind(spec.task).open(spec.options, NO_FILES)
  const recipe = resolveRecipe({ augment: { randAugment: { n: 2, m: 9, mstd: 0.5, inc: true } } })
  const threads = countedThreads(Object.assign(() => spawnAugmenter(), { most }))
  const plain = task.trainBatches(batch, 1, 0)
  for (let i = 0; i < 2; i++) dispose((await plain.next()).value)
  await plain.return(undefined)
  const batches = task.trainBatches(batch, 1, 0, { recipe, spawnAugmenter: threads.spawn })
  let [waited, whole] = [0, 0]
  let before = threadTimes()
  for (let step = 0; step < steps; step++) {
    if (step === WARM_UP) before = threadTimes()
    const start = performance.now()
    const { value } = await batches.next()
    const ready = performance.now()
    while (performance.now() - ready < stepMs);
    dispose(value)
    if (step < WARM_UP) continue
    waited += ready - start
    whole += performance.now() - start
  }
  const used = [...threadTimes()]
    .map(([thread, ms]) => (ms - (before.get(thread) ?? 0)) / (steps - WARM_UP))
    .filter((ms) => ms > 0.5)
    .sort((a, b) => b - a)
  await batches.return(undefined)
  const notes = `${threads.started()} threads augment; processor time a step of each thread: ${used.map((ms) => ms.toFixed(1)).join(', ')} ms`
  return {
    name: `waiting for RandAugment at ${stepMs} ms a step`,
    share: waited / whole,
    unit: 'share',
    notes,
  } satisfies ReadingRow
}

/** Steps in which threads start and code is compiled. */
const WARM_UP = 20

const NO_FILES = {
  list: () => Promise.reject(new Error('no files')),
  read: () => Promise.reject(new Error('no files')),
}

/** Milliseconds of processor time of every thread of this process, by number. */
function threadTimes(): Map<string, number> {
  const tasks = readdirSync('/proc/self/task')
  return new Map(
    tasks.map((id) => [id, Number(readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6]),
  )
}

/** Seconds of processor time of all processes that have ended and were waited for. */
function childrensProcessor(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').replace(/.*\) /s, '').split(' ').map(Number)
  return ((fields[13] ?? 0) + (fields[14] ?? 0)) / TICKS_PER_SECOND
}

if (import.meta.main) {
  for (const most of [1, undefined]) console.log(JSON.stringify(await waitingForRandAugment({ most })))
  for (const jobs of process.argv.includes('--notebook') ? [1, 2] : []) console.log(JSON.stringify(firstNotebook(jobs)))
}
