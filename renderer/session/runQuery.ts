import { MixlabError, messageOf } from '../../engine/errors.ts'
import { host } from '../host/state.ts'
import { type CellError, type CellOutputView, EMPTY_OUTPUT } from '../protocol/output.ts'
import { IDLE, setCellState, useNotebook } from './state.ts'
import { storeOutput } from './storeOutput.ts'

/** Queries that the user has stopped and that have not ended yet. */
const stopping = new Set<string>()

/** Asks the store what an SQL cell asks. Neither the kernel nor the cells that wait for it have a part in this. */
export async function runQuery(id: string): Promise<void> {
  const { cells, name, states } = useNotebook.getState()
  const { phase, output: before } = states[id] ?? IDLE
  if (phase === 'running') return
  const sql = cells.find((cell) => cell.id === id)?.source ?? ''
  setCellState(id, { phase: 'running', fingerprint: sql }) // the rows of before stay until there are others
  const output = await answer(sql, before)
  if (useNotebook.getState().name !== name) return
  setCellState(id, { phase: output.ended, output })
  storeOutput(id)
}

/** Stops the query of an SQL cell that runs. */
export function stopQuery(id: string): void {
  const { phase, fingerprint } = useNotebook.getState().states[id] ?? IDLE
  if (phase !== 'running' || fingerprint === null) return
  stopping.add(fingerprint)
  host()
    .cancelSql(fingerprint)
    .catch(() => {}) // it ends by itself, in time
}

async function answer(sql: string, before: CellOutputView | null): Promise<CellOutputView> {
  const since = performance.now()
  try {
    const result = await host().querySql(sql)
    const chart = before?.query?.chart ?? null
    return { ...EMPTY_OUTPUT, ms: performance.now() - since, query: { ...result, at: Date.now(), chart } }
  } catch (error) {
    return { ...EMPTY_OUTPUT, ended: stopping.has(sql) ? 'interrupted' : 'failed', error: queryError(error) }
  } finally {
    stopping.delete(sql)
  }
}

function queryError(error: unknown): CellError {
  const path = error instanceof MixlabError ? error.path : ''
  const line = /^line (\d+)$/.exec(path)?.[1]
  const message = messageOf(error)
  if (line === undefined) return { code: 'store', path: '', message, line: null }
  return { code: 'store', path: '', message: message.slice(path.length + 2), line: Number(line) }
}
