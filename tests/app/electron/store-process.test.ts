import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createStoreProcess } from '../../../app/electron/store-process.ts'
import { type FakePort, forked } from './fake-electron.ts'

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
