import type { ParentPort, UtilityProcess } from 'electron'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { queriesOf } from '../../../app/electron/query-client.ts'
import { serveQueries } from '../../../app/electron/query-process.ts'
import { stopBeforeQuit } from '../../../app/electron/quit.ts'
import { runStore } from '../../../app/electron/store.ts'
import { createStoreProcess } from '../../../app/electron/store-process.ts'
import type { LocalHost } from '../../../app/host.ts'
import type { QueryReply } from '../../../app/store/query/answer.ts'
import { type Channel, connect } from '../../../engine/channel.ts'
import { MixlabError } from '../../../engine/errors.ts'
import type { Host } from '../../../engine/host.ts'
import { fakeHost } from '../server/fake-host.ts'
import { app, FakePort, FakeUtilityProcess, forked, MessageChannelMain } from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

const launch = { workspace: '/w', notebook: null }
const report = vi.fn()
beforeEach(() => {
  forked.splice(0)
  report.mockClear()
})

function create() {
  return createStoreProcess({ store: '/store.js', query: '/query.js' }, launch, report)
}

describe('newPort', () => {
  it('starts the process once, with the workspace', () => {
    const store = create()
    expect(forked).toHaveLength(0)
    store.newPort()
    store.newPort()
    expect(forked).toMatchObject([{ script: '/store.js', args: ['--workspace=/w'] }])
  })

  it('gives page and process the two ends of one channel', () => {
    const page = create().newPort() as unknown as FakePort
    expect(forked[0]?.postMessage.mock.calls).toEqual([['connect', [page.other]]])
  })
})

describe('an ending that nobody asked for', () => {
  it('is reported with its exit code, and pages get a new process only after a move', async () => {
    const store = create()
    store.newPort()
    forked[0]?.emit('exit', 139)
    expect(report.mock.calls).toEqual([[{ code: 139 }]])
    expect(() => store.newPort()).toThrow(expect.objectContaining({ code: 'store', path: '/w' }))
    expect(forked).toHaveLength(1)
    await store.move(store.launch())
    store.newPort()
    expect(forked).toHaveLength(2)
  })

  it('is reported once, with the reason that the process gave', () => {
    const store = create()
    store.newPort()
    forked[0]?.emit('message', { refused: '/w: is not a folder' })
    expect(forked[0]?.kill).toHaveBeenCalledOnce()
    forked[0]?.emit('exit', 15)
    expect(report.mock.calls).toEqual([[{ refused: '/w: is not a folder' }]])
    expect(() => store.newPort()).toThrow('its process has ended')
  })

  it.each([null, 'refused', { refused: 1 }, {}])('is not what %j says', (message) => {
    create().newPort()
    forked[0]?.emit('message', message)
    expect(report).not.toHaveBeenCalled()
  })
})

describe('stop', () => {
  it('waits until the process has closed its database', async () => {
    const store = create()
    store.newPort()
    let stopped = false
    const stopping = store.stop().then(() => {
      stopped = true
    })
    expect(forked[0]?.postMessage).toHaveBeenLastCalledWith('stop')
    await Promise.resolve()
    expect(stopped).toBe(false)
    forked[0]?.emit('exit', 0)
    await stopping
    expect(report).not.toHaveBeenCalled()
    expect(forked[0]?.kill).not.toHaveBeenCalled()
  })

  it('kills a process that does not listen', async () => {
    vi.useFakeTimers()
    try {
      const store = create()
      store.newPort()
      forked[0]?.kill.mockImplementation(() => forked[0]?.emit('exit', 15) ?? false)
      const stopping = store.stop()
      await vi.runAllTimersAsync()
      await stopping
      expect(forked[0]?.kill).toHaveBeenCalledOnce()
      expect(report).not.toHaveBeenCalled()
    } finally {
      vi.useRealTimers()
    }
  })

  it('has nothing to do where no page has asked', async () => {
    await create().stop()
    expect(forked).toHaveLength(0)
  })
})

describe('move', () => {
  it('opens the other workspace for the next page', async () => {
    const store = create()
    store.newPort()
    const moving = store.move({ workspace: '/other', notebook: 'n.ts' })
    forked[0]?.emit('exit', 0)
    await moving
    expect(store.launch().workspace).toBe('/other')
    store.newPort()
    expect(forked[1]?.args).toEqual(['--workspace=/other', '--notebook=n.ts'])
    expect(report).not.toHaveBeenCalled()
  })
})

describe('the store in its process', () => {
  /** The port to main, as the store process sees it. */
  class FakeParent extends FakePort {
    override postMessage = vi.fn()
    order(data: string, ports: FakePort[] = []): void {
      this.emit('message', { data, ports })
    }
  }

  const close = vi.fn()
  const exit = vi.fn()
  let parent: FakeParent
  beforeEach(() => {
    close.mockReset()
    exit.mockReset()
    parent = new FakeParent()
  })

  function run(open: () => LocalHost = () => ({ ...fakeHost(), close })) {
    runStore({ parent: parent as unknown as ParentPort, open, exit })
  }

  /** The page's end of a port, as the page uses it. */
  function pageChannel(port: FakePort): Channel {
    return {
      post: (message) => port.postMessage(message),
      listen(receive) {
        port.on('message', ({ data }) => receive(data))
        port.start()
      },
    }
  }

  it('gives every port its own connection to the host', async () => {
    run()
    for (let page = 0; page < 2; page++) {
      const { port1, port2 } = new MessageChannelMain()
      parent.order('connect', [port1])
      const { remote } = connect<Host>({}, pageChannel(port2))
      expect(await remote.listNotebooks()).toEqual(['first.ts'])
      await expect(remote.read('none')).rejects.toMatchObject({ code: 'data', path: 'none' })
    }
  })

  it.each(['text', null, new Uint8Array([0xc1])])('hangs up on %j, which is no message', async (rubbish) => {
    run()
    const { port1, port2 } = new MessageChannelMain()
    parent.order('connect', [port1])
    const hungUp = new Promise<void>((resolve) => port2.on('close', () => resolve()))
    port2.postMessage(rubbish)
    await hungUp
  })

  it('goes on when a page goes', async () => {
    run()
    const gone = new MessageChannelMain()
    parent.order('connect', [gone.port1])
    gone.port2.close()
    const next = new MessageChannelMain()
    parent.order('connect', [next.port1])
    const { remote } = connect<Host>({}, pageChannel(next.port2))
    expect(await remote.listNotebooks()).toEqual(['first.ts'])
    expect(exit).not.toHaveBeenCalled()
  })

  it('closes the host before it ends', () => {
    run()
    parent.order('stop')
    expect(close).toHaveBeenCalledOnce()
    expect(exit.mock.calls).toEqual([[0]])
    expect(close.mock.invocationCallOrder[0]).toBeLessThan(exit.mock.invocationCallOrder[0] ?? 0)
  })

  it('says why it cannot open the workspace, and leaves the ending to main', () => {
    run(() => {
      throw new MixlabError('store', 'workspace', 'is not writable')
    })
    expect(parent.postMessage.mock.calls).toEqual([[{ refused: 'workspace: is not writable' }]])
    expect(exit).not.toHaveBeenCalled()
  })

  it('ignores an order to connect without a port', () => {
    run()
    expect(() => parent.order('connect')).not.toThrow()
  })
})

describe('queries of the store', () => {
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
})

beforeEach(() => {
  vi.clearAllMocks()
  app.removeAllListeners()
})

it('quits with the last window, after the store has closed', async () => {
  const store = createStoreProcess(
    { store: '/store.js', query: '/query.js' },
    { workspace: '/w', notebook: null },
    () => {},
  )
  store.newPort()
  stopBeforeQuit(store)
  app.emit('window-all-closed')
  expect(app.quit).toHaveBeenCalledOnce()

  const first = { preventDefault: vi.fn() }
  app.emit('will-quit', first)
  expect(first.preventDefault).toHaveBeenCalledOnce()
  expect(forked[0]?.postMessage).toHaveBeenLastCalledWith('stop')

  forked[0]?.emit('exit', 0)
  await expect.poll(() => app.quit).toHaveBeenCalledTimes(2)
  const second = { preventDefault: vi.fn() }
  app.emit('will-quit', second)
  expect(second.preventDefault).not.toHaveBeenCalled()
})
