import { describe, expect, it } from 'vitest'
import { type Channel, type Connection, connect } from '../../../engine/channel.ts'
import { MixlabError } from '../../../engine/errors.ts'
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
    return { channel: near, closed: new Promise((resolve) => cuts.push(resolve)) }
  }
  return { open, cut: () => cuts.at(-1)?.() }
}
const never = () => new Promise<never>(() => {})

describe('connectHost', () => {
  it('calls the host and passes its errors on', async () => {
    const failing = async () => Promise.reject(new MixlabError('store', 'run 9', 'does not exist'))
    const { open } = server([{ listNotebooks: async () => ['a.ts'], showRun: failing }])
    const host = await connectHost(open)
    expect(await host.listNotebooks()).toEqual(['a.ts'])
    await expect(host.showRun('9')).rejects.toMatchObject({ code: 'store', path: 'run 9' })
    expect(useConnection.getState().phase).toBe('open')
  })

  it('connects again after a break, and a call that only reads is made again', async () => {
    const { open, cut } = server([{ listNotebooks: never }, { listNotebooks: async () => ['again.ts'] }])
    const host = await connectHost(open)
    const reading = host.listNotebooks()
    cut()
    expect(await reading).toEqual(['again.ts'])
    expect(useConnection.getState().phase).toBe('open')
  })

  it('does not repeat a call that writes', async () => {
    const { open, cut } = server([{ beginRun: never }, { beginRun: async () => 1 }])
    const host = await connectHost(open)
    const writing = host.beginRun({
      key: '',
      study: '',
      variant: '',
      seed: 1,
      spec: {},
      code: '',
      backend: '',
      device: '',
    })
    const refused = expect(writing).rejects.toThrow('the connection to the workspace was lost')
    await new Promise((resolve) => setImmediate(resolve))
    cut()
    await refused
  })

  it('says that the connection is lost while there is none', async () => {
    const { open, cut } = server([{}])
    await connectHost(open)
    cut()
    await expect.poll(() => useConnection.getState().phase).toBe('lost')
  })

  it('is no promise, so that it can be awaited', async () => {
    const { open } = server([{}])
    expect('then' in (await connectHost(open))).toBe(false)
  })
})
