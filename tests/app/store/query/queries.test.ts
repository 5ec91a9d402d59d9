import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { StartQuery } from '../../../../app/store/query/answer.ts'
import { forkQuery } from '../../../../app/store/query/fork.ts'
import { openQueries } from '../../../../app/store/query/queries.ts'
import { storeIn } from '../openedStores.ts'
import { begun, freshFolder, sampleRun } from '../samples.ts'

const ENDLESS = 'with n(i) as (select 1 union all select i + 1 from n) select count(*) from n'

function database() {
  const folder = freshFolder()
  const store = storeIn(folder)
  begun(store.beginRun(sampleRun()))
  return { path: join(folder, '.mixlab/mixlab.db'), close: store.close }
}

it('answers from a process of its own, beside an open store', async () => {
  const { path, close } = database()
  const queries = openQueries(path, forkQuery)
  expect(await queries.run('select status from run')).toEqual({
    columns: ['status'],
    rows: [['running']],
    truncated: false,
  })
  await expect(queries.run('select\nx from run')).rejects.toMatchObject({
    code: 'store',
    path: 'line 2',
    message: 'line 2: no such column: x',
  })
  close()
})

it('kills a query that takes too long, and goes on', async () => {
  const { path, close } = database()
  const queries = openQueries(path, forkQuery, 0.5)
  await expect(queries.run(ENDLESS)).rejects.toThrow('the query was stopped after 0.5 s')
  close()
})

it('asks one query at a time', async () => {
  const ends: (() => void)[] = []
  const start = vi.fn<StartQuery>((_, end) => {
    ends.push(() => end({ result: { columns: [], rows: [], truncated: false } }))
    return () => {}
  })
  const queries = openQueries('a.db', start)
  const both = [queries.run('select 1'), queries.run('select 2')]
  await expect.poll(() => start).toHaveBeenCalledTimes(1)
  ends[0]?.()
  await both[0]
  await expect.poll(() => start).toHaveBeenCalledTimes(2)
  ends[1]?.()
  await both[1]
  expect(start.mock.calls.map(([{ sql }]) => sql)).toEqual(['select 1', 'select 2'])
})

it('tells of a process that dies', async () => {
  const start: StartQuery = (_, end) => {
    end(null)
    return () => {}
  }
  await expect(openQueries('a.db', start).run('select 1')).rejects.toThrow('ended without an answer')
})

it('stops the query that is not wanted any more, whether it runs or waits, and no other', async () => {
  const { path, close } = database()
  const start = vi.fn<StartQuery>(forkQuery)
  const queries = openQueries(path, start)
  const running = queries.run(ENDLESS)
  const [waiting, other] = [queries.run('select 1 as n'), queries.run('select 2 as n')]
  await expect.poll(() => start).toHaveBeenCalledOnce()
  for (const sql of ['select 1 as n', ENDLESS, 'select 3']) queries.cancel(sql)
  await expect(running).rejects.toThrow('the query was stopped')
  await expect(waiting).rejects.toThrow('the query was stopped')
  expect((await other).rows).toEqual([[2]])
  expect(start).toHaveBeenCalledTimes(2)
  queries.cancel(ENDLESS)
  expect((await queries.run('select 1 as n')).rows).toEqual([[1]])
  close()
})

it('kills what runs and refuses what waits when it is closed', async () => {
  const kill = vi.fn()
  const start = vi.fn<StartQuery>(() => kill)
  const queries = openQueries('a.db', start)
  const [running, waiting] = [queries.run('select 1'), queries.run('select 2')]
  await expect.poll(() => start).toHaveBeenCalledTimes(1)
  queries.close()
  await expect(running).rejects.toMatchObject({ code: 'store' })
  await expect(waiting).rejects.toThrow('the store is closed')
  expect(kill).toHaveBeenCalledOnce()
})
