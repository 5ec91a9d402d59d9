import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect } from 'vitest'
import { mixlab, workspaceWith } from './workbench.ts'

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
  const workspace = workspaceWith('test.ts', text)
  mixlab('run', join(workspace, 'test.ts'), '--backend', 'simd', '--workspace', workspace)
  return weights(workspace)
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
