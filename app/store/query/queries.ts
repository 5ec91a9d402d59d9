import { MixlabError } from '../../../engine/errors.ts'
import type { SqlResult } from '../../../engine/host.ts'
import type { QueryReply, StartQuery } from './answer.ts'

/** Queries of users on one store, one at a time, each in a process of its own. */
export interface Queries {
  /** Throws MixlabError `store` for what SQLite refuses, and for a query that takes too long. */
  run(sql: string): Promise<SqlResult>
  /** Kills the query of this text where it is in progress, and refuses it where it waits. */
  cancel(sql: string): void
  /** Kills the running query and refuses the queries that wait. */
  close(): void
}

/** Queries on the database at `path`; one that takes longer than `limit` seconds is killed. */
export function openQueries(path: string, start: StartQuery, limit = 10): Queries {
  let last: Promise<unknown> = Promise.resolve()
  let kill: (() => void) | null = null
  let closed = false
  const asked = new Set<PendingQuery>()

  async function one(query: PendingQuery): Promise<SqlResult> {
    const { sql } = query
    if (closed) throw new MixlabError('store', '', 'the store is closed')
    if (query.cancelled) throw stopped()
    let late = false
    let deadline: ReturnType<typeof setTimeout> | undefined
    const reply = await new Promise<QueryReply | null>((end) => {
      const stop = start({ path, sql }, end)
      kill = () => {
        stop()
        end(null)
      }
      query.kill = kill
      deadline = setTimeout(() => {
        late = true
        kill?.()
      }, limit * 1000)
    })
    clearTimeout(deadline)
    kill = null
    if (query.cancelled && !reply) throw stopped()
    return resultOf(reply, late, limit)
  }

  return {
    run(sql) {
      const query: PendingQuery = { sql, cancelled: false }
      asked.add(query)
      const result = last.then(() => one(query)).finally(() => asked.delete(query))
      last = result.catch(() => {})
      return result
    },
    cancel(sql) {
      for (const query of asked) {
        if (query.sql !== sql) continue
        query.cancelled = true
        query.kill?.()
      }
    },
    close() {
      closed = true
      kill?.()
    },
  }
}

interface PendingQuery {
  sql: string
  cancelled: boolean
  /** Ends the process of the query; set once that has started. */
  kill?: () => void
}

function stopped(): MixlabError {
  return new MixlabError('store', '', 'the query was stopped')
}

function resultOf(reply: QueryReply | null, late: boolean, limit: number): SqlResult {
  if (late) throw new MixlabError('store', '', `the query was stopped after ${limit} s`)
  if (!reply) throw new MixlabError('store', '', 'the query ended without an answer')
  if ('result' in reply) return reply.result
  throw new MixlabError('store', reply.error.path, reply.error.message)
}
