import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EXIT } from '../../../app/cli/command.ts'
import { sample } from '../../long.ts'
import { freshFolder, writeNotebook } from '../cli/recorder.ts'
import { storeAt } from '../store/samples.ts'

const ENDLESS = `// %% endless
console.log('cell in process ' + process.pid)
for (;;) {}
`
/** As endless for the process, but leaves the processor to others. */
const SLEEPING = ENDLESS.replace('for (;;) {}', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)')
/** A block that reads values runs anew at each step; after some it never returns. */
const TRAINING = `// %% endless
import { add, block, compare, dense, image, shapes } from 'mixlab'
console.log('cell in process ' + process.pid)
let steps = 0
export const stuck = block('stuck', (x, { dim }) => {
  const y = dense(x, dim)
  y.mean().dataSync()
  if (++steps > 60) {
    console.log('stuck')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
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

/** The command line, training a notebook in a process. */
function started(text: string) {
  const folder = freshFolder()
  const script = resolve(import.meta.dirname, '../../../app/mixlab.js')
  const words = ['run', writeNotebook(folder, text), '--backend', 'simd', '--workspace', folder]
  const child: ChildProcess = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let heard = ''
  child.stderr?.on('data', (data) => {
    heard += data
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, said: heard }))
  const says = (words: string) => expect.poll(() => heard, { interval: 5 }).toContain(words)
  const cells = async () => {
    await says('cell in process')
    return Number(/process (\d+)/.exec(heard)?.[1])
  }
  return { folder, child, ended, says, cells }
}

function runsIn(folder: string) {
  const store = storeAt(folder)
  onTestFinished(() => store.close())
  return store.listRuns()
}

/** Whether no process has such a number. */
function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}

describe.each(sample(['SIGINT', 'SIGTERM'] as const))('%s', (signal) => {
  it('stops a cell that never ends: the first says how, the second does it', async () => {
    const { child, ended, says, cells } = started(SLEEPING)
    const pid = await cells()
    child.kill(signal)
    await says('Ctrl-C again ends it at once')
    child.kill(signal)
    expect(await ended).toMatchObject({ code: EXIT.interrupted, said: expect.stringContaining('interrupted at once') })
    await expect.poll(() => isGone(pid)).toBe(true)
  })
})

it('a second Ctrl-C during training that is stuck leaves a run that goes on', async () => {
  const { folder, child, ended, says } = started(TRAINING)
  await says('stuck\n')
  child.kill('SIGINT')
  await says('Ctrl-C again ends it at once')
  child.kill('SIGINT')
  expect((await ended).code).toBe(EXIT.interrupted)
  const [run] = runsIn(folder)
  expect(run).toMatchObject({ status: 'interrupted' })
  expect(run?.step).toBeGreaterThan(0)
})

it('a process of cells that is killed before it trains is an error', async () => {
  const { ended, cells } = started(ENDLESS)
  process.kill(await cells(), 'SIGKILL')
  const { code, said } = await ended
  expect(code).toBe(EXIT.error)
  expect(said).toContain('mixlab: the process in which the cells run has ended: SIGKILL')
})

it('a process of cells ends with its parent, whatever it does', async () => {
  const { child, ended, cells } = started(ENDLESS)
  const pid = await cells()
  child.kill('SIGKILL')
  expect((await ended).signal).toBe('SIGKILL')
  await expect.poll(() => isGone(pid)).toBe(true)
})
