import type { ParentPort } from 'electron'
import { beforeEach, expect, it, vi } from 'vitest'
import { runStore } from '../../../app/electron/store.ts'
import type { LocalHost } from '../../../app/host.ts'
import { type Channel, connect } from '../../../engine/channel.ts'
import { MixlabError } from '../../../engine/errors.ts'
import type { Host } from '../../../engine/host.ts'
import { fakeHost } from '../server/fake-host.ts'
import { FakePort, MessageChannelMain } from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

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
