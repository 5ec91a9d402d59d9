import { MixlabError, messageOf } from '../../../engine/errors.ts'
import type { SqlResult } from '../../../engine/host.ts'
import { runSql } from './run.ts'

/** A query for the process that answers it. */
export interface QueryRequest {
  /** The database file. */
  path: string
  sql: string
}

/** Its answer; an error as plain data. */
export type QueryReply = { result: SqlResult } | { error: { path: string; message: string } }

/** Starts the process of one query. `end` is called with its answer, or with null if it ends without one. Returns a function that kills it. */
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
