import { MixlabError, messageOf } from '../../../engine/errors.ts'
import type { SqlResult } from '../../../engine/host.ts'
import { runSql } from './run.ts'

/** What the process of a query is asked. */
export interface QueryRequest {
  /** The database file. */
  path: string
  sql: string
}

/** What it answers. Errors do not cross processes as they are. */
export type QueryReply = { result: SqlResult } | { error: { path: string; message: string } }

/** Starts the process of one query. `end` hears its answer, or null where it ends without. Returns what kills it. */
export type StartQuery = (request: QueryRequest, end: (reply: QueryReply | null) => void) => () => void

/** `runQuery` as a reply. */
export function answerQuery({ path, sql }: QueryRequest): QueryReply {
  try {
    return { result: runSql(path, sql) }
  } catch (error) {
    const where = error instanceof MixlabError ? error.path : ''
    const message = messageOf(error)
    return { error: { path: where, message: where ? message.slice(where.length + 2) : message } }
  }
}
