import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { begun, freshFolder, freshWorkspace, metricEvents, range, sampleRun, storeAt } from './samples.ts'

const script = join(import.meta.dirname, 'recording-process.ts')

function recordIn(folder: string, batches: number, size: number, name: string): ChildProcess {
  return spawn(process.execPath, [script, folder, `${batches}`, `${size}`, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Kills a recording process once it has said that `points` are in the store; returns the last number it said. */
async function killAfter(child: ChildProcess, points: number): Promise<number> {
  if (!child.stdout) throw new Error('no output to read')
  let said = 0
  for await (const line of createInterface({ input: child.stdout })) {
    said = Number(line)
    if (said >= points) child.kill('SIGKILL')
  }
  return said
}

describe('a process that is killed', () => {
  it('shows as interrupted in a store that was open all along', async () => {
    const folder = freshWorkspace()
    const store = storeAt(folder)
    const child = recordIn(folder, 1_000_000, 5, 'beside')
    await killAfter(child, 5)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    expect(store.listRuns().map((run) => run.status)).toEqual(['interrupted'])
    expect(store.showRun('gating/beside/0').status).toBe('interrupted')
    store.close()
  })
})

describe('several processes on one workspace', () => {
  it('can open a new one and record at the same time', async () => {
    const folder = freshFolder()
    const children = ['a', 'b', 'c'].map((name) => recordIn(folder, 40, 50, name))
    const exits = children.map((child) => once(child, 'exit'))
    const store = storeAt(folder)
    const own = begun(store.beginRun(sampleRun({ variant: 'own' })))
    for (let step = 0; step < 2000; step += 50) {
      store.record(own, metricEvents('loss', step, step + 50))
      // Lets the output of the children be read.
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (const child of children) child.stdout?.resume()
    expect((await Promise.all(exits)).map(([code]) => code)).toEqual([0, 0, 0])

    const runs = store.listRuns()
    expect(runs.map((run) => [run.variant, run.status]).sort()).toEqual([
      ['a', 'done'],
      ['b', 'done'],
      ['c', 'done'],
      ['own', 'running'],
    ])
    for (const series of store.readSeries(
      runs.map((run) => run.id),
      'loss',
      1e9,
    )) {
      expect(series.steps).toEqual(range(0, 2000))
    }
    store.close()
  })
})
