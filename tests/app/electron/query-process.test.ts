import type { ParentPort, UtilityProcess } from 'electron'
import { beforeEach, expect, it, vi } from 'vitest'
import { queriesOf } from '../../../app/electron/query-client.ts'
import { serveQueries } from '../../../app/electron/query-process.ts'
import type { QueryReply } from '../../../app/store/query/answer.ts'
import { FakePort, FakeUtilityProcess, forked } from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

const REQUEST = { path: '/w/mixlab.db', sql: 'select 1' }
const REPLY: QueryReply = { result: { columns: ['1'], rows: [[1]], truncated: false } }

/** Main and its store process, joined; `start` is what the store process has. */
function joined() {
  const store = new FakeUtilityProcess('/store.js', [])
  const parent = new FakePort()
  parent.postMessage = (message) => void store.emit('message', message)
  store.postMessage.mockImplementation((data) => void parent.emit('message', { data, ports: [] }))
  serveQueries(store as unknown as UtilityProcess, '/query.js')
  return { store, start: queriesOf(parent as unknown as ParentPort) }
}

beforeEach(() => void forked.splice(0))

it('has each query answered by a process of its own, which then ends', () => {
  const { start } = joined()
  const ends = [vi.fn(), vi.fn()] as const
  for (const end of ends) start(REQUEST, end)
  expect(forked).toMatchObject([{ script: '/query.js' }, { script: '/query.js' }])
  expect(forked[1]?.postMessage.mock.calls).toEqual([[REQUEST]])
  forked[1]?.emit('message', REPLY)
  forked[1]?.emit('exit', 0)
  expect(ends.map(({ mock }) => mock.calls)).toEqual([[], [[REPLY]]])
  expect(forked[1]?.kill).toHaveBeenCalledOnce()
})

it('tells of a process that ends without an answer', () => {
  const end = vi.fn()
  joined().start(REQUEST, end)
  forked[0]?.emit('exit', 139)
  expect(end.mock.calls).toEqual([[null]])
})

it('kills a query that is cancelled, and all with the store process', () => {
  const { start, store } = joined()
  const cancel = start(REQUEST, vi.fn())
  start(REQUEST, vi.fn())
  cancel()
  expect(forked.map(({ kill }) => kill.mock.calls.length)).toEqual([1, 0])
  store.emit('exit', 0)
  expect(forked.map(({ kill }) => kill.mock.calls.length)).toEqual([1, 1])
})

it.each([null, 'query', {}, 1])('takes %j for no order', (message) => {
  const { store } = joined()
  store.emit('message', message)
  expect(forked).toHaveLength(0)
})
