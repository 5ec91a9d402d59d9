import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MixlabError } from '../../../engine/errors.ts'
import type { CellOutput, Host, SqlResult } from '../../../engine/host.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import { showText } from '../../../renderer/session/open.ts'
import { runAll, runCells } from '../../../renderer/session/run.ts'
import { runQuery, stopQuery } from '../../../renderer/session/runQuery.ts'
import { EMPTY, useNotebook } from '../../../renderer/session/state.ts'

const asked: string[] = []

vi.mock('../../../renderer/session/kernel/client.ts', () => ({
  startKernel: () => ({
    started: Promise.resolve({ chosen: {}, options: [] }),
    evaluate: async ({ id }: { id: string }) => {
      asked.push(id)
      return { value: null, error: null, studies: [], interrupted: false }
    },
    interrupt: async () => {},
    ping: async () => ({ tensors: 0, bytes: 0 }),
    kill: () => {},
  }),
}))

const ANSWER: SqlResult = { columns: ['n'], rows: [[1]], truncated: false }
const written: CellOutput[] = []
let querySql: (sql: string) => Promise<SqlResult>
let cancelSql: (sql: string) => void
const state = (id = 'rows') => useNotebook.getState().states[id]

beforeEach(() => {
  asked.length = 0
  written.length = 0
  querySql = async (sql) => {
    asked.push(sql)
    return ANSWER
  }
  const host = {
    querySql: (sql: string) => querySql(sql),
    cancelSql: async (sql: string) => cancelSql(sql),
    writeNotebook: async () => '1',
    writeOutput: async (_: string, output: CellOutput) => void written.push(output),
  } as unknown as Host
  useConnection.setState({ host })
  useNotebook.setState({ ...EMPTY, name: 'a.ts', revision: '0' })
  showText('// %% [sql] rows\n// select 1 as n\n\n// %% code\nconst a = 1\n')
})

describe('runQuery', () => {
  it('shows the answer and stores it with the query as its fingerprint', async () => {
    await runQuery('rows')
    expect(asked).toEqual(['select 1 as n'])
    expect(state()).toMatchObject({
      phase: 'done',
      fingerprint: 'select 1 as n',
      output: { query: ANSWER, error: null },
    })
    expect(written).toMatchObject([{ cell: 'rows', fingerprint: 'select 1 as n', output: { query: ANSWER } }])
  })

  it('shows a mistake with its line, and goes on', async () => {
    querySql = async () => {
      throw new MixlabError('store', 'line 2', 'no such column: x')
    }
    await runQuery('rows')
    expect(state()).toMatchObject({
      phase: 'failed',
      output: { query: null, error: { line: 2, message: 'no such column: x' } },
    })
    querySql = async () => ANSWER
    await runQuery('rows')
    expect(state()).toMatchObject({ phase: 'done', output: { error: null } })
  })

  it('keeps the chart that was chosen, and the rows of before until there are others', async () => {
    await runQuery('rows')
    const output = state()?.output
    if (!output?.query) throw new Error('no answer')
    const chart = { mark: 'bar' as const, x: null, y: 'n', color: null }
    const chosen = { ...output, query: { ...output.query, chart } }
    useNotebook.setState(({ states }) => ({ states: { ...states, rows: { ...states.rows, output: chosen } as never } }))
    const running = runQuery('rows')
    expect(state()).toMatchObject({ phase: 'running', output: { query: { rows: [[1]] } } })
    await runQuery('rows') // is running
    await running
    expect(state()?.output?.query?.chart).toEqual(chart)
    expect(asked).toHaveLength(2)
  })

  it('is stopped by the user; what it then says is no failure', async () => {
    querySql = (sql) =>
      new Promise((_, fail) => {
        cancelSql = (stopped) => stopped === sql && fail(new MixlabError('store', '', 'the query was stopped'))
      })
    stopQuery('rows') // does not run yet
    const running = runQuery('rows')
    stopQuery('rows')
    await running
    expect(state()).toMatchObject({ phase: 'interrupted', output: { error: { message: 'the query was stopped' } } })
  })

  it('writes nothing into a notebook that was opened meanwhile', async () => {
    const running = runQuery('rows')
    useNotebook.setState({ ...EMPTY, name: 'b.ts' })
    await running
    expect(useNotebook.getState().states).toEqual({})
    expect(written).toEqual([])
  })
})

describe('queries among other cells', () => {
  it('run after all code', async () => {
    runAll()
    await expect.poll(() => state()?.phase).toBe('done')
    expect(asked).toEqual(['code', 'select 1 as n'])
  })

  it('wait for nothing when asked for by themselves', () => {
    runCells(['code', 'rows'])
    expect(state()?.phase).toBe('running')
    return expect.poll(() => [state()?.phase, state('code')?.phase]).toEqual(['done', 'done'])
  })
})
