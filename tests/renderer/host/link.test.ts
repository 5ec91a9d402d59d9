import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { socketProtocols } from '../../../engine/host.ts'
import { openLink, openPort } from '../../../renderer/host/link.ts'
import { untilToken, watchTokens } from '../../../renderer/host/token.ts'
import { stubStorage } from '../storage.ts'

afterEach(() => void vi.unstubAllGlobals())

/** A window whose preload script answers the page's question with a port. */
function desktopWindow(port: MessagePort, answer = 'mixlab:host') {
  const asked: unknown[] = []
  const target = Object.assign(new EventTarget(), {
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
  vi.stubGlobal('mixlabDesktop', {})
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

  it('asks for one port after the other, and ends the way through it where it is closed', async () => {
    const asked: string[] = []
    const target = Object.assign(new EventTarget(), { postMessage: (question: string) => void asked.push(question) })
    vi.stubGlobal('window', target)
    vi.stubGlobal('location', { origin: 'mixlab://page' })
    const give = (port: MessagePort) =>
      target.dispatchEvent(
        Object.assign(new Event('message'), { data: 'mixlab:kernels', source: target, ports: [port] }),
      )
    const channels = [new MessageChannel(), new MessageChannel()]
    const opening = channels.map(() => openPort('mixlab:kernels', 'silence'))
    for (const [i, { port1 }] of channels.entries()) {
      await expect.poll(() => asked.length).toBe(i + 1)
      give(port1)
      await opening[i]
    }
    const links = await Promise.all(opening)
    const gone = channels.map(({ port2 }) => new Promise((resolve) => port2.addEventListener('close', resolve)))
    for (const [i, { channel, close }] of links.entries()) {
      const received = new Promise((resolve) => channels[i]?.port2.addEventListener('message', resolve, { once: true }))
      channels[i]?.port2.start()
      channel.post(new Uint8Array([i]))
      close()
      expect(await received).toMatchObject({ data: new Uint8Array([i]) })
    }
    await Promise.all(gone)
  })

  it('gives up when nobody answers', async () => {
    vi.useFakeTimers()
    desktopWindow(new MessageChannel().port1, 'mixlab:nothing')
    const error = { code: 'backend', path: '', message: 'the workspace does not answer' }
    const refused = expect(openLink()).rejects.toMatchObject(error)
    await vi.advanceTimersByTimeAsync(10_000)
    await refused
    expect(getEventListeners(window, 'message')).toEqual([])
    vi.useRealTimers()
  })

  it('takes an answer with a port only, once, and then has no timer left', async () => {
    vi.useFakeTimers()
    const asked = desktopWindow(undefined as never)
    const opening = openLink()
    const fakePort = () => Object.assign(new EventTarget(), { start: vi.fn(), postMessage: vi.fn() })
    const [port, stranger] = [fakePort(), fakePort()]
    const answer = (source: unknown, ...ports: object[]) =>
      window.dispatchEvent(Object.assign(new Event('message'), { data: 'mixlab:host', source, ports }))
    answer(window)
    answer({}, stranger)
    expect(vi.getTimerCount()).toBe(1)
    answer(window, port)
    const { channel } = await opening
    expect([asked.length, vi.getTimerCount(), getEventListeners(window, 'message')]).toEqual([1, 0, []])
    vi.useRealTimers()
    channel.post(new Uint8Array([5]))
    expect(port.postMessage.mock.calls).toEqual([[new Uint8Array([5])]])
    expect(port.start).not.toHaveBeenCalled()
    channel.listen(() => {})
    expect(port.start).toHaveBeenCalledTimes(1)
  })
})

describe('openLink in a browser', () => {
  /** A page at some address whose sockets are answered with one subprotocol, or, for null, by nobody. */
  function browser(protocol: string | null, address = 'http://127.0.0.1:7000/') {
    const opened: FakeSocket[] = []
    class FakeSocket extends EventTarget {
      binaryType = ''
      protocol = ''
      readonly sent: unknown[] = []
      readonly address: string
      readonly offered: string[]
      constructor(address: string, offered: string[]) {
        super()
        this.address = address
        this.offered = offered
        opened.push(this)
        queueMicrotask(() => {
          this.protocol = protocol ?? ''
          this.dispatchEvent(new Event(protocol === null ? 'close' : 'open'))
        })
      }
      send(message: unknown) {
        this.sent.push(message)
      }
    }
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('location', new URL(address))
    vi.stubGlobal('WebSocket', FakeSocket)
    const kept = stubStorage()
    const replaceState = vi.fn((_data: unknown, _title: string, to: string) => {
      vi.stubGlobal('location', new URL(to, location.href))
    })
    vi.stubGlobal('history', { replaceState })
    return { opened, kept }
  }
  const { open, refused } = socketProtocols

  it.each([
    ['http:', 'ws://127.0.0.1:7000/host'],
    ['https:', 'wss://127.0.0.1:7000/host'],
  ])('speaks through a socket of its own scheme: %s', async (protocol, address) => {
    const { opened } = browser(open, `${protocol}//127.0.0.1:7000/`)
    const { channel, closed } = await openLink()
    const [socket] = opened
    expect(socket).toMatchObject({ address, binaryType: 'arraybuffer', offered: [open, refused] })
    const received: Uint8Array[] = []
    channel.listen((message) => received.push(message))
    const data = new Uint8Array([1, 2]).buffer
    socket?.dispatchEvent(Object.assign(new Event('message'), { data }))
    expect(received).toEqual([new Uint8Array([1, 2])])
    channel.post(new Uint8Array([3]))
    expect(socket?.sent).toEqual([new Uint8Array([3])])
    const gone = vi.fn()
    void closed.then(gone)
    await Promise.resolve()
    expect(gone).not.toHaveBeenCalled()
    socket?.dispatchEvent(new Event('close'))
    await closed
  })

  it('tells where nobody answers', async () => {
    const { opened } = browser(null)
    const silence = { code: 'backend', path: '', message: 'the workspace does not answer' }
    await expect(openLink()).rejects.toMatchObject(silence)
    expect(opened.map(({ address }) => address)).toEqual(['ws://127.0.0.1:7000/host'])
  })

  it('takes the token out of the address, keeps it once it has opened the workspace, and then needs no address', async () => {
    const { opened, kept } = browser(open, 'http://127.0.0.1:7000/#token=a-token#/runs')
    watchTokens()
    expect([location.pathname, location.hash]).toEqual(['/', '#/runs'])
    expect(kept.size).toBe(0)
    await openLink()
    expect(opened[0]?.offered).toEqual([open, refused, 'a-token'])
    expect([...kept]).toEqual([['mixlab.token', '"a-token"']])
    window.dispatchEvent(new Event('hashchange')) // nothing to take
    await openLink()
    expect(opened[1]?.offered).toEqual([open, refused, 'a-token'])
  })

  it('says where the token is missing or wrong, and goes back to the kept one', async () => {
    const { opened, kept } = browser(refused, 'http://127.0.0.1:7000/#token=foreign')
    kept.set('mixlab.token', '"own"')
    watchTokens()
    expect(location.hash).toBe('')
    await expect(openLink()).rejects.toMatchObject({ code: 'permission' })
    expect(opened[0]?.offered).toContain('foreign')
    expect([...kept]).toEqual([['mixlab.token', '"own"']])
    await expect(openLink()).rejects.toMatchObject({ code: 'permission' })
    expect(opened[1]?.offered).toContain('own')
  })

  it('tries again at once where the page, or one beside it, is given a token', async () => {
    browser(refused, 'http://127.0.0.1:7000/#/runs')
    watchTokens()
    const never = 1e9 // ms
    const waits = [untilToken(never)]
    vi.stubGlobal('location', new URL('#token=given', location.href))
    window.dispatchEvent(new Event('hashchange'))
    await waits[0]
    waits.push(untilToken(never))
    window.dispatchEvent(Object.assign(new Event('storage'), { key: 'mixlab.token' }))
    await Promise.all(waits)
    await expect(openLink()).rejects.toThrow() // which forgets it
  })

  it.each(['#token=', '#token=a b', '#token=a//evil.example', '#token', '#/token=a'])('takes nothing of %s', (hash) => {
    browser(open, `http://127.0.0.1:7000/${hash}`)
    const before = location.href
    watchTokens()
    expect(location.href).toBe(before)
  })

  it.each(['5', '"two words"', '{', 'null'])('offers no token that it cannot: %s', async (damaged) => {
    const { opened, kept } = browser(open)
    kept.set('mixlab.token', damaged)
    await openLink()
    expect(opened[0]?.offered).toEqual([open, refused])
  })
})
