import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openHost } from '../../app/host.ts'

/** A row of `npm run bench:pace`: one quantity that is promised, measured of ours and, where there is one, of a twin in turns. */
export interface PaceRow {
  /** By which it is chosen on the command line. */
  name: string
  /** What is measured. */
  title: string
  /** Of a `ratio`, ours and the twin are measured in seconds. */
  unit: 's' | 'ms' | 'share' | 'ratio'
  /** The most that is promised, in the unit. */
  goal: number
  /** Whether it is measured only where it is named. */
  named?: boolean
  /** What is made before the first round, such as files that both read. */
  prepare?(): void | Promise<void>
  /** One round. As `prepare`, it throws `NotMeasured` where this machine lacks what it takes. */
  ours(): number | Promise<number>
  /** One round of the same by something else, in the same unit; its name may be known after the first one only. */
  twin?: { name: string; measure(): number | Promise<number> }
  /** Removes what was prepared. */
  end?(): void | Promise<void>
}

/** This machine has no such thing, e.g. `no PyTorch`. */
export class NotMeasured extends Error {}

/** What came of a row. */
export interface Measured {
  name: string
  /** Medians of the rounds; null where there is none, for the reason in `why`. */
  ours: number | null
  twin: number | null
  ratio: number | null
  reached: boolean | null
  why?: string
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? null

/** Measures a row in so many rounds, ours and the twin in turns. Without a twin on this machine ours is measured alone. */
export async function measureRow(row: PaceRow, rounds: number): Promise<Measured> {
  const ours: number[] = []
  const twins: number[] = []
  let { twin } = row
  let why: string | undefined
  try {
    await row.prepare?.()
    for (let round = 0; round < rounds; round++) {
      ours.push(await row.ours())
      if (!twin) continue
      try {
        twins.push(await twin.measure())
      } catch (error) {
        why = lackOf(error)
        twin = undefined
      }
    }
  } catch (error) {
    why = lackOf(error)
  } finally {
    await row.end?.()
  }
  const [own, other] = [median(ours), median(twins)]
  const ratio = own !== null && other !== null ? own / other : null
  const value = row.unit === 'ratio' ? ratio : own
  const reached = value === null ? null : value <= row.goal
  return { name: row.name, ours: own, twin: other, ratio, reached, ...(why !== undefined && { why }) }
}

/** What this machine lacks, which is no failure; anything else is thrown on. */
function lackOf(error: unknown): string {
  if (error instanceof NotMeasured) return error.message
  throw error
}

const SHOWN: Record<PaceRow['unit'], (value: number) => string> = {
  s: (value) => `${value.toFixed(2)} s`,
  ms: (value) => `${value.toFixed(1)} ms`,
  share: (value) => `${(100 * value).toFixed(1)}%`,
  ratio: (value) => value.toFixed(2),
}

/** `first-run: first notebook by mixlab run: 6.10 s; PyTorch 5.00 s, ratio 1.22; goal 6.50 s, reached`. */
export function rowLine(
  { name, title, unit, goal, twin }: PaceRow,
  { ours, twin: theirs, ratio, reached, why }: Measured,
) {
  const shown = unit === 'ratio' ? SHOWN.s : SHOWN[unit]
  const parts = [
    ...(ours === null ? [] : [shown(ours)]),
    ...(theirs === null ? [] : [`${twin?.name} ${shown(theirs)}, ratio ${ratio?.toFixed(2)}`]),
    ...(why === undefined ? [] : [`not measured: ${why}`]),
    `goal ${SHOWN[unit](goal)}${reached === null ? '' : reached ? ', reached' : ', NOT reached'}`,
  ]
  return `${name}: ${title}: ${parts.join('; ')}`
}

export const ROOT = resolve(import.meta.dirname, '../..')

/** Seconds that a command takes, by the clock. */
export async function seconds(command: string, words: string[], more: NodeJS.ProcessEnv = {}): Promise<number> {
  const begun = performance.now()
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...more } })
  let said = ''
  child.stderr.on('data', (data) => {
    said = `${said}${data}`.slice(-2000)
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ${words.join(' ')}: ${said}`)
  return (performance.now() - begun) / 1000
}

export const mixlab = (...words: string[]) => seconds(process.execPath, [join(ROOT, 'app/mixlab.js'), ...words])

/** Does something with a fresh folder, which is deleted then. */
export async function inFolder<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = freshFolder()
  try {
    return await work(folder)
  } finally {
    remove(folder)
  }
}
export const freshFolder = () => mkdtempSync(join(tmpdir(), 'mixlab-pace-'))
export const remove = (folder: string) =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })

/** Seconds of `mixlab run` on a notebook in a workspace. */
export function ran(folder: string, text: string, ...words: string[]): Promise<number> {
  const path = join(folder, 'notebook.ts')
  writeFileSync(path, text)
  return mixlab('run', path, '--workspace', folder, '--backend', 'simd', ...words)
}

/** Of the time of all steps of the runs of a workspace, the share in which they waited for their batches. */
export async function waited(folder: string): Promise<number> {
  const host = openHost({ workspace: folder })
  try {
    const ids = (await host.listRuns()).map(({ id }) => id)
    const [waits = 0, steps = 0] = await Promise.all(
      ['train/wait_ms', 'train/step_ms'].map(async (metric) => {
        const series = await host.readSeries(ids, metric)
        return series.flatMap(({ values }) => [...values]).reduce((sum, value) => sum + value, 0)
      }),
    )
    return waits / steps
  } finally {
    host.close()
  }
}
