import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, onTestFinished } from 'vitest'

const FEW = { variants: '{ mixed }', steps: 200, evalEvery: 50, checkpointEvery: 20, seeds: 1 }
/** A study with all that a checkpoint holds: random masks, mixed examples, an average of weights, and the best ones. */
export function disturbed(changes: Partial<typeof FEW> = {}): string {
  const { variants, steps, evalEvery, checkpointEvery, seeds } = { ...FEW, ...changes }
  return `// %% block
import { block, dense, dropout, gelu, residual, tokenDense } from 'mixlab'
export const mixed = block('mixed', (x, { dim }) => residual(x, dropout(dense(gelu(tokenDense(x)), dim), 0.2)))

// %% study
import { compare, image, lamb, mixer, shapes } from 'mixlab'
export const long = compare('long', {
  task: image({ data: shapes({ train: 64, test: 20, size: 16 }) }),
  model: { patch: 4, dim: 16, depth: 2 },
  variants: ${variants},
  train: {
    steps: ${steps}, batch: 16, optimizer: lamb(), mixup: 0.8, ema: 0.9, logEvery: 1, evalEvery: ${evalEvery},
    checkpointEvery: { steps: ${checkpointEvery} },
  },
  seeds: ${seeds},
})
`
}

/** The command line in a process of its own, which ends with the test. */
export function started(words: readonly string[]) {
  const script = resolve(import.meta.dirname, '../../../app/mixlab.js')
  const child: ChildProcess = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let heard = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    heard += text
  })
  const ended = once(child, 'close').then(([code, killed]) => ({ code, killed, said: heard }))
  return {
    child,
    ended,
    says: (text: string) => expect.poll(() => heard, { interval: 5 }).toContain(text),
    heard: () => heard,
  }
}

/** Whether no process has such a number. */
export function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}
