import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { Queue } from 'bullmq'
import { openSigner } from '../../../app/queue/keys.ts'
import { GONE_MS, listMachines, type Machine } from '../../../app/queue/machines.ts'
import { namesOf, PREFIX, queueName } from '../../../app/queue/names.ts'
import { openWorkspace } from '../../../app/workspace/index.ts'
import { integer, keyOf } from '../../../engine/random.ts'
import { resultsIn } from '../store/results.ts'
import { startServer } from './server.ts'

/** What is done to a queue while it trains. */
export interface Trial {
  /** Seeds of two variants, and steps of each run. */
  seeds: number
  steps: number
  workers: number
  /** Commands that train the study at the same time, out of one workspace. */
  owners: number
  /** How often a worker is killed, stopped for longer than its lock, the server killed, full, an owner killed, and stopped. */
  faults: Record<Fault, number>
  seed: number
  say(line: string): void
}

export const FAULTS = ['kill', 'stop', 'server', 'full', 'owner', 'pause'] as const
export type Fault = (typeof FAULTS)[number]

/** What came of a trial. */
export interface TrialResult {
  /** What each store says of each run: status, weights, series, by variant and seed. */
  queued: unknown[]
  local: unknown[]
  /** The most bytes that the server held, the longest that a run in training came no further in ms, and what is left in the server. */
  memory: number
  stood: number
  /** The faults that were made. */
  made: Fault[]
  left: string[]
  exit: number | null
  seconds: number
}

const MIXLAB = resolve(import.meta.dirname, '../../../app/mixlab.js')
/** Milliseconds that a worker is stopped for: its lock runs out in 8 s, and is looked at every 3 s. */
const STOPPED_MS = 13_000
const FULL_MS = 5000
const AWAY_MS = 2000
/** A trial in which a run stands for longer is given up. */
const STOOD_MS = 60_000

const notebook = (seeds: number, steps: number) => `// %% block
import { block, dense, dropout, gelu, residual, tokenDense } from 'mixlab'
export const mixed = block('mixed', (x, { dim }) => residual(x, dropout(dense(gelu(tokenDense(x)), dim), 0.2)))

// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const trial = compare('trial', {
  task: image({ data: shapes({ train: 64, test: 20, size: 16 }) }),
  model: { patch: 4, dim: 16, depth: 2 },
  variants: { mixed, mixer: mixer() },
  train: { steps: ${steps}, batch: 16, logEvery: 5, evalEvery: 20, checkpointEvery: { steps: 10 } },
  seeds: ${seeds},
})
`

/** Trains the same study with a queue that suffers, and without one. */
export async function runTrial(trial: Trial): Promise<TrialResult> {
  const folder = mkdtempSync(join(tmpdir(), 'mixlab-trial-'))
  const server = await startServer()
  const children = new Set<ChildProcess>()
  const start = (name: string, ...words: string[]) => {
    const child = spawn(process.execPath, [MIXLAB, ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
    children.add(child)
    child.once('exit', () => children.delete(child))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.trim().split('\n')) trial.say(`${name}: ${line}`)
    })
    return child
  }
  const begun = performance.now()
  try {
    const [queued, local] = ['queued', 'local'].map((name) => join(folder, name)) as [string, string]
    for (const at of [queued, local]) {
      openWorkspace(at)
      writeFileSync(join(at, 'trial.ts'), notebook(trial.seeds, trial.steps))
    }
    const signer = openSigner(join(queued, '.mixlab'))
    const names = namesOf(signer.workspace)
    const jobs = new Queue(queueName(signer.workspace, 'simd'), {
      ...{ connection: server.redis, prefix: PREFIX, skipMetasUpdate: true },
    })
    jobs.on('error', () => {})

    const workOf = [server.address, '--key', signer.text, '--jobs', '1', '--threads', '1']
    const cache = ['--cache', join(folder, 'cache')]
    const workers = Array.from({ length: trial.workers }, (_, i) => start(`worker ${i}`, 'work', ...workOf, ...cache))
    const own = ['run', join(queued, 'trial.ts'), '--queue', server.address, '--workspace', queued]
    const exits: (number | null)[] = []
    const startOwner = (at: number) => {
      const child = start(`owner ${at}`, ...own)
      child.once('exit', (code, signal) => void (signal !== 'SIGKILL' && exits.push(code)))
      return child
    }
    const owners = Array.from({ length: trial.owners }, (_, i) => startOwner(i))

    const progress = new Map<string, { attempt: number; first: number; step: number; at: number }>()
    let [memory, stood] = [0, 0]
    let idle = { at: performance.now(), stored: '' } // since when no run is in the queue, and the store gets nothing
    let through = 0
    const seen = new Set<string>()
    const made: Fault[] = []
    async function look(): Promise<Machine[]> {
      const list = (state: string) => server.redis.lrange(jobs.toKey(state), 0, -1)
      const [waiting, inTraining] = [await list('wait'), await list('active')]
      for (const key of [...waiting, ...inTraining]) seen.add(key)
      through = seen.size - new Set([...waiting, ...inTraining]).size
      const stored = waiting.length + inTraining.length > 0 || seen.size === 0 ? '' : storedIn(queued)
      if (stored === '' || stored !== idle.stored) idle = { at: performance.now(), stored }
      else stood = Math.max(stood, performance.now() - idle.at) // an owner that waits for nothing
      const machines = await listMachines(server.redis, names)
      const [, used = '0'] = /used_memory:(\d+)/.exec(await server.redis.info('memory')) ?? []
      memory = Math.max(memory, Number(used))
      const active = new Set(inTraining)
      const runs = new Map(machines.flatMap((machine) => machine.runs).map((run) => [run.key, run]))
      for (const key of [...progress.keys()]) if (!active.has(key)) progress.delete(key)
      for (const key of active) {
        const known = progress.get(key)
        const run = runs.get(key)
        const { attempt = 0, step = 0 } = run ?? known ?? {}
        const first = known?.attempt === attempt ? known.first || step : step
        // a process that starts, or goes on from a state, is no run that stands: beside others its first step takes its time
        const starts = run !== undefined && step === first
        if (known?.attempt !== attempt || known.step !== step || starts)
          progress.set(key, { attempt, first, step, at: performance.now() })
        else stood = Math.max(stood, performance.now() - known.at)
      }
      return machines
    }
    const ended = () => exits.length === owners.length || stood > STOOD_MS
    /** Waits for something to be so, looking on. */
    async function until(found: (machines: Machine[]) => boolean): Promise<boolean> {
      while (!ended()) {
        if (found(await look())) return true
        await sleep(100)
      }
      return false
    }

    const pids = () => workers.map(({ pid }) => pid)
    const trains = ({ id, runs }: Machine) =>
      runs.some(({ step }) => step > 0) && pids().some((pid) => id.includes(`-${pid}-`))
    let turn = 0
    const pick = (count: number) => integer(keyOf(trial.seed, 'fault'), turn++, count)
    /** The place of a worker that trains. */
    async function working(): Promise<number> {
      let at = -1
      await until((machines) => {
        const found = machines.filter(trains)
        if (found.length === 0) return false
        const { id } = found[pick(found.length)] as Machine
        at = workers.findIndex(({ pid }) => id.includes(`-${pid}-`))
        return at >= 0
      })
      return at
    }
    const livingOwner = () => {
      const living = owners.flatMap(({ exitCode }, at) => (exitCode === null ? [at] : []))
      return living[pick(living.length)]
    }
    /** Each returns whether it was made. */
    const faults: Record<Fault, () => Promise<boolean>> = {
      async kill() {
        const at = await working()
        if (at < 0) return false
        workers[at]?.kill('SIGKILL')
        workers[at] = start(`worker ${at}`, 'work', ...workOf, ...cache)
        return true
      },
      async stop() {
        const at = await working()
        const stopped = workers[at]
        stopped?.kill('SIGSTOP')
        const since = performance.now()
        await until(() => performance.now() - since > STOPPED_MS)
        stopped?.kill('SIGCONT')
        return stopped !== undefined
      },
      async server() {
        if ((await working()) < 0) return false
        await server.kill()
        await sleep(AWAY_MS)
        await server.start()
        return true
      },
      async full() {
        if ((await working()) < 0) return false
        await server.redis.config('SET', 'maxmemory', '1mb')
        const since = performance.now()
        await until(() => performance.now() - since > FULL_MS)
        await server.redis.config('SET', 'maxmemory', '0')
        return true
      },
      async owner() {
        if ((await working()) < 0) return false
        const at = livingOwner()
        if (at === undefined) return false
        owners[at]?.kill('SIGKILL')
        owners[at] = startOwner(at)
        return true
      },
      async pause() {
        const at = livingOwner()
        if (at === undefined) return false
        owners[at]?.kill('SIGSTOP')
        const since = performance.now()
        await until(() => performance.now() - since > STOPPED_MS)
        owners[at]?.kill('SIGCONT')
        return true
      },
    }
    const order = FAULTS.flatMap((fault) => Array<Fault>(trial.faults[fault]).fill(fault))
    const all = order.map((fault, i) => ({ fault, at: integer(keyOf(trial.seed, 'order'), i, 2 ** 30) }))
    for (const [i, { fault }] of all.sort((a, b) => a.at - b.at).entries()) {
      const share = ((i + 0.5) / all.length) * 0.9 * 2 * trial.seeds
      await until(() => through >= share)
      if (ended()) break
      trial.say(`fault: ${fault}, at ${through} runs`)
      if (await faults[fault]()) made.push(fault)
    }
    await until(() => false)
    for (const worker of workers) worker.kill('SIGTERM')
    await Promise.all(
      workers.map((worker) => worker.exitCode === null && new Promise((end) => worker.once('exit', end))),
    )
    // the last words of a worker that was killed are gone a while after it
    for (const end = performance.now() + GONE_MS; performance.now() < end; await sleep(100))
      if (!(await server.redis.exists(names.machines))) break
    const left = (await server.redis.keys('*')).filter(
      (name) => !/:(owner|id|events|meta|stalled-check|marker)$/.test(name),
    )
    await jobs.close()
    const seconds = (performance.now() - begun) / 1000

    const here = ['--workspace', local, '--threads', '1', '--backend', 'simd']
    const alone = start('local', 'run', join(local, 'trial.ts'), ...here)
    await new Promise((end) => alone.once('exit', end))
    const exit = exits.length < owners.length ? null : Math.max(...exits.map((code) => code ?? 1))
    const said = { memory, stood, made, left, exit, seconds }
    return { queued: resultsIn(queued), local: resultsIn(local), ...said }
  } finally {
    for (const child of children) child.kill('SIGKILL')
    for (const child of children) child.kill('SIGCONT')
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How far the runs of a store are. */
function storedIn(workspace: string): string {
  const database = new BetterSqlite3(join(workspace, '.mixlab/mixlab.db'), { readonly: true })
  const found = database.prepare('select status, count(*) as runs, sum(step) as steps from run group by status').all()
  database.close()
  return JSON.stringify(found)
}
