import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { environment, madeStore, origin } from './madeStore.ts'
import { begun, metricEvents, sampleRun } from './samples.ts'

let made: ReturnType<typeof madeStore>
beforeAll(() => {
  made = madeStore()
})
afterAll(() => {
  made.raw.close()
  made.store.close()
})

/** What belongs to a run, each table with the column that names it. */
const TABLES = {
  run: 'id',
  ...{ metric_chunk: 'run', metric_summary: 'run', checkpoint: 'run', snapshot: 'run', histogram: 'run' },
  ...{ run_report: 'run', run_outcomes: 'run', run_origin: 'run', run_environment: 'run' },
}
/** What the user, or a study by its name, may say of a run that is finished. */
const FREE = ['run.variant', 'run_origin.notebook']

/** Another value of the type that a column has. */
function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  return value instanceof Uint8Array ? new Uint8Array([9]) : `${value}9`
}

describe.each(Object.keys(TABLES))('of a finished run, %s', (table) => {
  const by = TABLES[table as keyof typeof TABLES]
  const ids = () => [made.done, made.failed]
  const message = /is finished and stays as it is/

  it('keeps every column', () => {
    for (const id of ids()) {
      const row = made.raw.prepare<[number], object>(`select * from ${table} where ${by} = ?`).get(id)
      expect(row, table).toBeDefined()
      for (const [column, value] of Object.entries(row ?? {})) {
        const change = () =>
          made.raw.prepare(`update ${table} set ${column} = ? where ${by} = ?`).run(otherThan(value), id)
        if (!FREE.includes(`${table}.${column}`)) expect(change, `${table}.${column}`).toThrow(message)
      }
      expect(made.raw.prepare(`select * from ${table} where ${by} = ?`).get(id)).toEqual(row)
    }
  })

  it('is neither deleted nor replaced', () => {
    for (const id of ids()) {
      const count = () => made.raw.prepare(`select count(*) from ${table} where ${by} = ?`).pluck().get(id)
      const before = count()
      expect(() => made.raw.prepare(`delete from ${table} where ${by} = ?`).run(id)).toThrow(message)
      expect(() => made.raw.exec(`insert or replace into ${table} select * from ${table} where ${by} = ${id}`)).toThrow(
        message,
      )
      expect(count()).toBe(before)
    }
  })

  it('gets nothing from another run, nor gives it away', () => {
    if (table === 'run') return
    const move = (from: number, to: number) => () =>
      made.raw.exec(`update or replace ${table} set ${by} = ${to} where ${by} = ${from}`)
    expect(move(made.running, made.done)).toThrow(message)
    expect(move(made.done, made.running)).toThrow(message)
  })
})

describe('a finished run', () => {
  it('takes no event of any kind, by any of its owners', () => {
    for (const [id, what] of [
      [made.done, 'is done'],
      [made.failed, 'has failed'],
    ] as const) {
      const events = [{ type: 'metric', step: 3, name: 'loss', value: 0.999 }] as const
      for (const by of [undefined, { epoch: 1 }, { epoch: 1, batch: 1 }]) {
        expect(() => made.store.record(id, [...events], by)).toThrow(`run ${id}: ${what}, and stays as it is`)
      }
      expect(made.store.showRun(`${id}`).metrics.loss).toMatchObject({ last: 1, count: 3 })
    }
  })

  it('can be tagged, noted, archived, exported, and called by another name', () => {
    const { store, done } = made
    store.tagRuns([done], ['good'], [])
    store.noteRun(done, 'a note')
    store.archiveRuns([done], true)
    store.recordExport(done, {
      ...{ format: 'onnx', sha256: 'ab', weights: 'best', folded: false, toeplitz: false },
      ...{ examples: 1, difference: 0 },
    })
    store.moveRuns('a.ts', 'b.ts')
    const { key, study } = store.showRun(`${done}`)
    const named = { study, metric: 'loss', variants: [{ variant: 'renamed', settings: {}, intended: [] }] }
    store.recordDesign({ ...named, runs: [{ variant: 'renamed', seed: 0, key }] })
    expect(store.showRun(`${done}`)).toMatchObject({ archived: true, variant: 'renamed', origin: { notebook: 'b.ts' } })
    expect(store.listExports(done)).toHaveLength(1)
  })

  it('does not keep others from being trained', () => {
    const { store, running } = made
    store.record(running, [{ type: 'interrupted', step: 2 }])
    const run = sampleRun({ variant: 'running', origin, environment })
    expect(begun(store.beginRun(run))).toBe(running)
    store.record(running, [{ type: 'start', steps: 2, parameters: 1, resumedAt: 1 }, ...metricEvents('loss', 2, 4)])
    store.record(running, [{ type: 'done', step: 4 }])
    expect(store.showRun(`${running}`)).toMatchObject({ status: 'done', step: 4 })
  })
})
