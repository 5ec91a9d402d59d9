// npm run bench:cells: what it costs that cells run in a process of their own. A run of the first notebook in that way and
// in the process of the command itself, in turn; first, what the bundle of that process saves (cellsStart.ts).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openHost } from '../../app/host.ts'
import type { StudyEvent } from '../../engine/records/run.ts'
import { compared, compareStarts } from './cellsStart.ts'

const ROUNDS = Number(process.argv[2]) || 7
const THREADS = 1 // the rest of the machine is for the parent
const NOTEBOOK = resolve(import.meta.dirname, '../../experiments/first-comparison.ts')
const CHOICE = { quick: true, only: ['gated'], seeds: 1 }

/** Says when the first and the last step is done, in ms since 1970, and how many steps lie between. */
async function mark(events: AsyncIterable<StudyEvent>): Promise<void> {
  let first: { at: number; step: number } | null = null
  let last = { at: 0, step: 0 }
  for await (const event of events) {
    if (event.type !== 'run' || event.event.type !== 'step') continue
    last = { at: Date.now(), step: event.event.step }
    first ??= last
  }
  console.log(JSON.stringify({ first: first?.at, last: last.at, steps: last.step - (first?.step ?? 0) }))
}

async function here(host: ReturnType<typeof openHost>, notebook: string): Promise<void> {
  const [{ useBackend: start, lossOf }, { studiesIn }, { executeStudy }, { spawnAugmenter }] = await Promise.all([
    import('../../app/backends.ts'),
    import('../../app/studies.ts'),
    import('../../engine/study/execute.ts'),
    import('../../app/augmenter.ts'),
  ])
  const backend = await start('simd', THREADS)
  const [study] = await studiesIn(notebook, () => {})
  if (study)
    await mark(executeStudy(study, { runs: host, files: host, backend, lost: lossOf, spawnAugmenter, ...CHOICE }))
}

async function apart(host: ReturnType<typeof openHost>, notebook: string): Promise<void> {
  const { openCells } = await import('../../app/cells/cells.ts')
  const { machineWith } = await import('../../app/machine.ts')
  const { signal } = new AbortController()
  const start = { notebook, backend: 'simd', threads: THREADS, places: 1, trusted: false }
  const cells = await openCells(start, { host, name: 'first', print: () => {}, stop: signal, end: signal })
  await cells.studies()
  await mark(cells.train(0, { ...CHOICE, move: false, machine: machineWith(THREADS) }))
  cells.close()
}

/** Milliseconds until the first step, and of each step after it, of a process that trains in one of both ways. */
async function measure(way: string): Promise<{ start: number; step: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'mixlab-bench-'))
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'mixlab-bench-cache') }
  const at = Date.now()
  const child = spawn(process.execPath, [import.meta.filename, way, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  })
  let said = ''
  child.stdout.on('data', (data) => {
    said += data
  })
  await once(child, 'close')
  rmSync(folder, { recursive: true })
  const { first, last, steps } = JSON.parse(said) as { first: number; last: number; steps: number }
  return { start: first - at, step: (last - first) / steps }
}

const WAYS: Record<string, typeof here> = { here, apart }
const [, , way = '', folder = ''] = process.argv
const train = WAYS[way]
if (train) {
  const host = openHost({ workspace: folder })
  await train(host, readFileSync(NOTEBOOK, 'utf8'))
  host.close()
  process.exit(0)
}

await compareStarts(ROUNDS)
const times: Record<string, { start: number; step: number }[]> = { here: [], apart: [] }
for (let round = -1; round < ROUNDS; round++) {
  for (const [name, list] of Object.entries(times)) {
    const time = await measure(name)
    if (round >= 0) list.push(time) // before, the cache is filled
  }
}
for (const what of ['start', 'step'] as const) {
  const [here = [], apart = []] = [times.here, times.apart].map((list = []) => list.map((time) => time[what]))
  console.log(`${what}: ${compared({ apart, 'in the process': here }, 'ms')}`)
}
