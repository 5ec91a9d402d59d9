import { MixlabError } from '../../../engine/errors.ts'
import type { SqlResult } from '../../../engine/host.ts'
import type { QueryReply, StartQuery } from './answer.ts'

/** Queries of users on one store, one at a time, each in a process of its own. */
export interface Queries {
  /** Throws MixlabError `store` for what SQLite refuses, and for a query that takes too long. */
  run(sql: string): Promise<SqlResult>
  /** Kills the query in progress; those that wait are refused. */
  close(): void
}

/** Queries on the database at `path`; one that takes longer than `limit` seconds is killed. */
export function openQueries(path: string, start: StartQuery, limit = 10): Queries {
  let last: Promise<unknown> = Promise.resolve()
  let kill: (() => void) | null = null
  let closed = false

  async function one(sql: string): Promise<SqlResult> {
    if (closed) throw new MixlabError('store', '', 'the store is closed')
    let late = false
    let deadline: ReturnType<typeof setTimeout> | undefined
    const reply = await new Promise<QueryReply | null>((end) => {
      const stop = start({ path, sql }, end)
      kill = () => {
        stop()
        end(null)
      }
      deadline = setTimeout(() => {
        late = true
        kill?.()
      }, limit * 1000)
    })
    clearTimeout(deadline)
    kill = null
    return resultOf(reply, late, limit)
  }

  return {
    run(sql) {
      const result = last.then(() => one(sql))
      last = result.catch(() => {})
      return result
    },
    close() {
      closed = true
      kill?.()
    },
  }
}

function resultOf(reply: QueryReply | null, late: boolean, limit: number): SqlResult {
  if (late) throw new MixlabError('store', '', `the query was stopped after ${limit} s`)
  if (!reply) throw new MixlabError('store', '', 'the query ended without an answer')
  if ('result' in reply) return reply.result
  throw new MixlabError('store', reply.error.path, reply.error.message)
}
