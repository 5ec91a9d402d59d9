import { hostForConnection } from '../../app/connection.ts'
import { callByName, callsOf } from '../../engine/call.ts'
import { connect } from '../../engine/channel.ts'
import { type Host, hostCalls } from '../../engine/host.ts'
import type { Link } from '../../renderer/host/link.ts'
import { pair } from '../engine/pair.ts'

/** A way to a host that breaks under a call: before the call took effect, or before its answer came back. */
export interface BreakingLink {
  open(): Promise<Link>
  /** Breaks under the next call that passes; returns whether it has broken. */
  breakUnder(passes: (name: keyof Host) => boolean, when: When): () => boolean
  /** The calls that came in, in their order. */
  calls: string[]
}

export const WHEN = ['before', 'after'] as const
export type When = (typeof WHEN)[number]

/** Links to `host` as the server has them: each its own connection, whose runs end with it. */
export function breakingLink(host: Host): BreakingLink {
  let passes: ((name: keyof Host) => boolean) | null = null
  let when: When = 'before'
  const calls: string[] = []
  return {
    calls,
    breakUnder(wanted, moment) {
      passes = wanted
      when = moment
      return () => passes === null
    },
    async open() {
      const [near, far] = pair()
      const own = hostForConnection(host)
      const { promise: closed, resolve: cut } = Promise.withResolvers<void>()
      const offered = callsOf(hostCalls, async (name, given) => {
        calls.push(name)
        if (!passes?.(name)) return callByName(own.host, name, given)
        passes = null
        if (when === 'after') await callByName(own.host, name, given)
        own.release()
        cut()
        return new Promise(() => {}) // no answer
      })
      connect(offered, far)
      return { channel: near, closed, close: cut }
    },
  }
}
