import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { useBackend as startBackend } from '../../app/backends.ts'
import { errorOf, goldenOf } from '../engine/train/optimizers/reference.ts'

/** Optimizers whose update is a program, beside their equations in float64; see tests/golden/optimizers/make.py. */
export async function equations(): Promise<string[]> {
  const folder = join(import.meta.dirname, '../golden/optimizers')
  await startBackend('webgpu', 1)
  const lines: string[] = []
  for (const file of globSync('*.json', { cwd: folder })) {
    const golden = goldenOf(basename(file, '.json'))
    const error = await errorOf(golden, { optimizer: golden.optimizer, options: golden.options })
    lines.push(`${error < 1e-5 ? '' : 'FAILED: '}${golden.optimizer}: at most ${error.toExponential(1)} away`)
  }
  return lines
}
