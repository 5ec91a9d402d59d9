import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { type LocalHost, openHost } from '../../../../app/host.ts'
import { openRecordings } from '../../../../app/store/index.ts'
import type { TrainEvent } from '../../../../engine/records/events.ts'
import { begun, freshFolder, freshWorkspace, metricEvents, range, sampleRun, storeAt } from '../samples.ts'

const open: { close(): void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

function opened(): { folder: string; host: LocalHost } {
  const folder = freshWorkspace()
  const host = openHost({ workspace: folder })
  open.push(host)
  return { folder, host }
}

const begin = async (host: LocalHost, variant: string) => begun(await host.beginRun(sampleRun({ variant })))
const message = (error: Error) => error.message

/** Points of the metric `loss` that another connection sees, by run. */
function seen(folder: string): Record<number, number> {
  const raw = new BetterSqlite3(join(folder, '.mixlab/mixlab.db'), { readonly: true })
  const rows = raw.prepare<[], [number, number]>('select run, count from metric_summary').raw().all()
  raw.close()
  return Object.fromEntries(rows)
}

describe('records of one turn of the event loop', () => {
  it('are one transaction, in their order, and on the disk when they are answered', async () => {
    const store = storeAt(freshWorkspace())
    open.push(store)
    const together: number[][] = []
    const { record } = openRecordings({
      recordTogether(batches) {
        together.push(batches.map(([run]) => run))
        return store.recordTogether(batches)
      },
    })
    const [a, b] = ['a', 'b'].map((variant) => begun(store.beginRun(sampleRun({ variant }))))
    if (!a || !b) throw new Error('a run is missing')
    const recorded = [a, b, a].map((run, i) => record(run, metricEvents('loss', 10 * i, 10 * i + 10)))
    expect(together).toEqual([])
    await Promise.all(recorded)
    await record(b, [{ type: 'done', step: 20 }])
    expect(together).toEqual([[a, b, a], [b]])
    expect(store.readSeries([a, b], 'loss').map(({ steps }) => steps)).toEqual([
      [...range(0, 10), ...range(20, 30)],
      range(10, 20),
    ])
  })

  it('are seen by every call that comes after them in the same turn', async () => {
    const { folder, host } = opened()
    const id = await begin(host, 'a')
    const recorded = host.record(id, metricEvents('loss', 0, 5))
    expect(seen(folder)).toEqual({})
    const runs = host.listRuns()
    expect(seen(folder)).toEqual({ [id]: 5 })
    expect((await runs)[0]?.metrics.loss?.count).toBe(5)
    void host.record(id, [{ type: 'done', step: 5 }])
    expect(await host.beginRun(sampleRun({ variant: 'a' }))).toBeNull()
    expect(await recorded).toMatchObject({ stop: false })
  })

  it('are refused one by one', async () => {
    const { folder, host } = opened()
    const [a, b, c] = [await begin(host, 'a'), await begin(host, 'b'), await begin(host, 'c')]
    const answers = await Promise.all([
      host.record(a, metricEvents('loss', 0, 5)),
      host.record(99, metricEvents('loss', 0, 5)).catch(message),
      host.record(b, [{ type: 'metric', name: '', step: 1, value: 1 }]).catch(message),
      host.record(b, metricEvents('loss', 0, 3), { epoch: 7 }).catch(message),
      host.record(c, metricEvents('loss', 0, 4)),
    ])
    expect(answers.map((answer) => (typeof answer === 'string' ? answer : answer.stop))).toEqual([
      false,
      'run 99: no such run',
      'metric.name: must not be empty',
      `run ${b}: its owner 7 is too late, 1 has taken it up`,
      false,
    ])
    expect(seen(folder)).toEqual({ [a]: 5, [c]: 4 })
  })

  it('are written before the host closes, and refused afterwards', async () => {
    const { folder, host } = opened()
    const id = await begin(host, 'a')
    const recorded = host.record(id, metricEvents('loss', 0, 5))
    host.close()
    await recorded
    expect(seen(folder)).toEqual({ [id]: 5 })
    await expect(host.record(id, [])).rejects.toThrow('is closed')
  })

  it('let go of the weights that the last of them replaces', async () => {
    const { host } = opened()
    const id = await begin(host, 'a')
    const checkpoint = (step: number): TrainEvent => ({ type: 'checkpoint', step, weights: new Uint8Array([step]) })
    await Promise.all([1, 2, 3].map((step) => host.record(id, [checkpoint(step)])))
    expect(await host.readWeights(id)).toEqual(new Uint8Array([3]))
    expect(await host.listWeights(id)).toEqual([{ which: 'last', step: 3 }])
  })
})

it('a process that is killed while it records several runs at a time loses nothing that was answered', async () => {
  const folder = freshFolder()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'recordings-process.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!child.stdout) throw new Error('no output to read')
  const said: Record<number, number> = {}
  for await (const line of createInterface({ input: child.stdout })) {
    const [id = 0, points = 0] = line.split(' ').map(Number)
    said[id] = points
    if (points >= 200) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  const store = storeAt(folder)
  open.push(store)
  const runs = store.listRuns()
  expect(readdirSync(join(folder, '.mixlab/owners'))).toEqual([])
  expect(runs).toHaveLength(3)
  for (const { id, status, metrics } of runs) {
    expect(status).toBe('interrupted')
    expect(metrics.loss?.count).toBeGreaterThanOrEqual(said[id] ?? Number.POSITIVE_INFINITY)
    expect(store.readSeries([id], 'loss', 1e9)[0]?.steps).toEqual(range(0, metrics.loss?.count ?? 0))
  }
})
