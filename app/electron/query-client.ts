import type { ParentPort } from 'electron'
import type { QueryReply, QueryRequest, StartQuery } from '../store/query/answer.ts'

/** Message of the store process to main: start or end a query. */
export type QueryOrder = { query: number; request: QueryRequest } | { cancel: number }

/** Message of main: a query has ended. */
export interface QueryEnd {
  ended: number
  reply: QueryReply | null
}

/** Queries of the store process, whose `parent` is main. */
export function queriesOf(parent: ParentPort): StartQuery {
  const waiting = new Map<number, (reply: QueryReply | null) => void>()
  let last = 0
  parent.on('message', ({ data }) => {
    if (!isEnd(data)) return
    waiting.get(data.ended)?.(data.reply)
    waiting.delete(data.ended)
  })
  return (request, end) => {
    const id = ++last
    waiting.set(id, end)
    parent.postMessage({ query: id, request } satisfies QueryOrder)
    return () => parent.postMessage({ cancel: id } satisfies QueryOrder)
  }
}

function isEnd(message: unknown): message is QueryEnd {
  return typeof message === 'object' && message !== null && 'ended' in message
}
