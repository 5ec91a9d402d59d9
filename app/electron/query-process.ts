import { type UtilityProcess, utilityProcess } from 'electron'
import type { QueryReply } from '../store/query/answer.ts'
import type { QueryEnd, QueryOrder } from './query-client.ts'

/** Lets the store process have queries in processes that run `script`; they end with it. */
export function serveQueries(store: UtilityProcess, script: string): void {
  const running = new Map<number, UtilityProcess>()

  function end(id: number, reply: QueryReply | null): void {
    const child = running.get(id)
    if (!child) return
    running.delete(id)
    child.kill()
    store.postMessage({ ended: id, reply } satisfies QueryEnd)
  }

  store.on('message', (message: unknown) => {
    if (!isOrder(message)) return
    if ('cancel' in message) return end(message.cancel, null)
    const { query: id, request } = message
    const child = utilityProcess.fork(script, [], { serviceName: 'Mixlab query' })
    running.set(id, child)
    child.once('message', (reply: QueryReply) => end(id, reply))
    child.once('exit', () => end(id, null))
    child.postMessage(request)
  })
  store.once('exit', () => {
    for (const child of running.values()) child.kill()
    running.clear()
  })
}

function isOrder(message: unknown): message is QueryOrder {
  return typeof message === 'object' && message !== null && ('query' in message || 'cancel' in message)
}
