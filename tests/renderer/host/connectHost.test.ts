import { describe, expect, it, vi } from 'vitest'
import { callByName } from '../../../engine/call.ts'
import { type Channel, type Connection, connect } from '../../../engine/channel.ts'
import { MixlabError, messageOf } from '../../../engine/errors.ts'
import { type Host, hostCalls } from '../../../engine/host.ts'
import { connectHost } from '../../../renderer/host/connectHost.ts'
import type { Link } from '../../../renderer/host/link.ts'
import { useConnection } from '../../../renderer/host/state.ts'

/** Two ends of a channel without delay. */
function pair(): [Channel, Channel] {
  const receivers: ((message: Uint8Array) => void)[] = [() => {}, () => {}]
  const end = (own: 0 | 1): Channel => ({
    post: (message) => queueMicrotask(() => receivers[1 - own]?.(message)),
    listen: (receive) => {
      receivers[own] = receive
    },
  })
  return [end(0), end(1)]
}

/** A server that can be cut off; every connection gets its own host. */
function server(hosts: object[]) {
  const cuts: (() => void)[] = []
  const connections: Connection<object>[] = []
  const open = async (): Promise<Link> => {
    const offered = hosts[cuts.length]
    if (!offered) throw new MixlabError('backend', '', 'the workspace does not answer')
    const [near, far] = pair()
    connections.push(connect(offered, far))
    return { channel: near, closed: new Promise((resolve) => cuts.push(resolve)), close: () => cuts.at(-1)?.() }
  }
  return { open, cut: () => cuts.at(-1)?.() }
}
const never = (_?: unknown) => new Promise<never>(() => {})

describe('connectHost', () => {
  it('ends for good where that is wanted, with the calls that have no answer', async () => {
    const { open } = server([{ listNotebooks: never }, {}])
    const ending = new AbortController()
    const host = await connectHost(open, ending.signal)
    const refused = expect(host.listNotebooks()).rejects.toThrow('the connection to the workspace has ended')
    ending.abort()
    await refused
    await expect(host.listNotebooks()).rejects.toThrow()
    await expect(connectHost(open, ending.signal).then((late) => late.listNotebooks())).rejects.toThrow()
  })

  it('calls the host and passes its errors on', async () => {
    const failing = async () => Promise.reject(new MixlabError('store', 'run 9', 'does not exist'))
    const { open } = server([{ listNotebooks: async () => ['a.ts'], showRun: failing }])
    const host = await connectHost(open)
    expect(await host.listNotebooks()).toEqual(['a.ts'])
    await expect(host.showRun('9')).rejects.toMatchObject({ code: 'store', path: 'run 9' })
    expect(useConnection.getState().phase).toBe('open')
  })

  it.each(Object.keys(hostCalls) as (keyof Host)[])(
    'makes a call again after a break if it is repeatable: %s',
    async (name) => {
      const made: string[] = []
      const first = { [name]: () => never(made.push('first')) }
      const { open, cut } = server([first, { [name]: async () => made.push('again') }])
      const calls = callByName(await connectHost(open), name, []) as Promise<unknown>
      const outcome = calls.catch(messageOf)
      await expect.poll(() => made).toEqual(['first'])
      cut()
      if (hostCalls[name].repeatable([])) expect(await outcome).toBe(2)
      else expect(await outcome).toBe('the connection to the workspace was lost')
      expect(useConnection.getState().phase).toBe('open')
      expect(made).toEqual(hostCalls[name].repeatable([]) ? ['first', 'again'] : ['first'])
    },
  )

  /** A link that can be cut, and each connection to `offered` waits to be let in. */
  function slow(offered: object) {
    const doors: (() => void)[] = []
    const cuts: (() => void)[] = []
    const open = async (): Promise<Link> => {
      const [near, far] = pair()
      await new Promise<void>((resolve) => doors.push(resolve))
      connect(offered, far)
      return { channel: near, closed: new Promise((resolve) => cuts.push(resolve)), close: () => cuts.at(-1)?.() }
    }
    return { open, enter: () => doors.pop()?.(), cut: () => cuts.at(-1)?.(), waiting: () => doors.length }
  }

  it('makes a call again however long it takes to connect, and one that waits for a connection once', async () => {
    const made: string[] = []
    const { open, enter, cut, waiting } = slow({
      listNotebooks: () => (made.push('list') === 1 ? never() : ['a.ts']),
      showRun: async (reference: string) => {
        made.push(reference)
        throw new MixlabError('store', reference, 'no such run')
      },
    })
    const connecting = connectHost(open)
    enter()
    const host = await connecting
    const reading = host.listNotebooks()
    await expect.poll(() => made).toEqual(['list'])
    cut()
    await expect.poll(() => useConnection.getState().phase).toBe('lost')
    const refused = expect(host.showRun('9')).rejects.toThrow('no such run')
    await expect.poll(() => waiting()).toBe(1)
    enter()
    expect(await reading).toEqual(['a.ts'])
    await refused
    expect(made.toSorted()).toEqual(['9', 'list', 'list'])
    expect(useConnection.getState().phase).toBe('open')
  })

  it('tries to connect again and again, at most every 5 s, and says whether there ever was a connection', async () => {
    vi.useFakeTimers()
    let tries = 0
    const refuse = async (): Promise<Link> => {
      tries++
      throw new MixlabError('backend', '', 'the workspace does not answer')
    }
    let openNow = refuse
    const connecting = connectHost(() => openNow())
    await vi.advanceTimersByTimeAsync(60_000)
    expect(useConnection.getState().phase).toBe('absent')
    expect(tries).toBeGreaterThan(12)
    expect(tries).toBeLessThan(20)
    const { open, cut } = server([{}])
    openNow = open
    await vi.advanceTimersByTimeAsync(5000)
    await connecting
    openNow = refuse
    cut()
    await vi.advanceTimersByTimeAsync(1000)
    expect(useConnection.getState().phase).toBe('lost')
    vi.useRealTimers()
  })

  it('says that it is refused while the workspace wants another token', async () => {
    vi.useFakeTimers()
    const { open } = server([{}])
    let opens: () => Promise<Link> = async () => Promise.reject(new MixlabError('permission', '', 'another token'))
    const connecting = connectHost(() => opens())
    await vi.advanceTimersByTimeAsync(1)
    expect(useConnection.getState().phase).toBe('refused')
    opens = open
    await vi.advanceTimersByTimeAsync(5000)
    await connecting
    expect(useConnection.getState().phase).toBe('open')
    vi.useRealTimers()
  })

  it('is no promise, so that it can be awaited', async () => {
    const { open } = server([{}])
    expect('then' in (await connectHost(open))).toBe(false)
  })
})
