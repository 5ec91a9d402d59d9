import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect } from 'vitest'

const mixlab = resolve(import.meta.dirname, '../../app/mixlab.js')

/** A study of 4 small runs. */
export const NOTEBOOK = (steps: number) => `// %% block
import { add, block, dense } from 'mixlab'
export const one = block('one', (x, { dim }) => add(x, dense(x, dim)))

// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 128, test: 40 }) }),
  model: { patch: 8, dim: 32, depth: 2 },
  variants: { one, mixer: mixer() },
  train: { steps: ${steps}, batch: 16, checkpointEvery: { seconds: 0.2 }, evalEvery: 50 },
  seeds: 2,
})
`

/** No machine is done with so many steps before a test interrupts them. */
export const UNENDING = 1_000_000

/** The runs of a workspace with the hashes of their weights. */
export function weights(workspace: string): unknown[] {
  const database = new BetterSqlite3(join(workspace, '.mixlab/mixlab.db'), { readonly: true })
  const sql = 'select variant, seed, status, step, weights from run order by variant, seed'
  const rows = database.prepare(sql).all()
  database.close()
  return rows
}

/** What the command line makes of the same notebook, undisturbed. */
export function undisturbed(text: string): unknown[] {
  const workspace = mkdtempSync(join(tmpdir(), 'mixlab-live-'))
  writeFileSync(join(workspace, 'test.ts'), text)
  const words = ['run', join(workspace, 'test.ts'), '--backend', 'simd', '--workspace', workspace]
  execFileSync(process.execPath, [mixlab, ...words], { stdio: 'pipe' })
  const found = weights(workspace)
  rmSync(workspace, { recursive: true })
  return found
}

/** The steps of all runs of a workspace. */
export const stepsOf = (workspace: string) =>
  (weights(workspace) as { step: number }[]).reduce((sum, { step }) => sum + step, 0)

/** Waits until more has been trained than now. */
export async function trainsOn(workspace: string): Promise<void> {
  const before = stepsOf(workspace)
  await expect.poll(() => stepsOf(workspace), { interval: 50 }).toBeGreaterThan(before + 40)
}

/** How often each run was taken up. */
export function takeovers(workspace: string): unknown[] {
  const database = new BetterSqlite3(join(workspace, '.mixlab/mixlab.db'), { readonly: true })
  const epochs = database.prepare('select epoch from run_owner').pluck().all()
  database.close()
  return epochs
}
