import { afterEach, describe, expect, it, vi } from 'vitest'
import { openLink } from '../../../renderer/host/link.ts'

afterEach(() => void vi.unstubAllGlobals())

/** A window whose preload script answers the page's question with a port. */
function desktopWindow(port: MessagePort, answer = 'mixlab:host') {
  const asked: unknown[] = []
  const target = Object.assign(new EventTarget(), {
    mixlabDesktop: {},
    postMessage: (...message: unknown[]) => {
      asked.push(message)
      const reply = (data: string, source: unknown) =>
        target.dispatchEvent(Object.assign(new Event('message'), { data, source, ports: [port] }))
      reply('something else', target)
      reply(answer, {})
      reply(answer, target)
    },
  })
  vi.stubGlobal('window', target)
  vi.stubGlobal('location', { origin: 'mixlab://page' })
  return asked
}

describe('openLink on the desktop', () => {
  it('asks its own window for a port and speaks through it', async () => {
    const { port1, port2 } = new MessageChannel()
    const asked = desktopWindow(port1)
    const { channel, closed } = await openLink()
    expect(asked).toEqual([['mixlab:host?', 'mixlab://page']])

    const received: Uint8Array[] = []
    channel.listen((message) => received.push(message))
    port2.postMessage(new Uint8Array([1, 2]))
    await expect.poll(() => received).toEqual([new Uint8Array([1, 2])])
    port2.close()
    await closed
  })

  it('gives up when nobody answers', async () => {
    vi.useFakeTimers()
    desktopWindow(new MessageChannel().port1, 'mixlab:nothing')
    const refused = expect(openLink()).rejects.toThrow('the workspace does not answer')
    await vi.advanceTimersByTimeAsync(10_000)
    await refused
    vi.useRealTimers()
  })
})

describe('openLink in a browser', () => {
  it('opens a socket at the address of the page', async () => {
    const opened: string[] = []
    class FakeSocket extends EventTarget {
      binaryType = ''
      constructor(address: string) {
        super()
        opened.push(address)
        queueMicrotask(() => this.dispatchEvent(new Event('close')))
      }
    }
    vi.stubGlobal('window', {})
    vi.stubGlobal('location', { protocol: 'http:', host: '127.0.0.1:7000' })
    vi.stubGlobal('WebSocket', FakeSocket)
    await expect(openLink()).rejects.toThrow('the workspace does not answer')
    expect(opened).toEqual(['ws://127.0.0.1:7000/host'])
  })
})
