import { factsOf, IDLE, type NotebookState, useNotebook } from './state.ts'
import { type Staleness, type Status, stalenessOf } from './status.ts'

/** The status of a cell now. */
export function useCellStatus(id: string): Status {
  return useNotebook((state) => (staleness(state, id) ? 'stale' : (state.states[id]?.phase ?? 'idle')))
}

/** Why the output of a cell is stale, or null. */
export function useStaleness(id: string): Staleness | null {
  return useNotebook((state) => staleness(state, id))
}

function staleness(state: NotebookState, id: string): Staleness | null {
  const { phase, fingerprint, outdated } = state.states[id] ?? IDLE
  return stalenessOf(phase, fingerprint, currentFingerprint(state, id), outdated)
}

/** That of code; a query is its own. */
function currentFingerprint(state: NotebookState, id: string): string | undefined {
  const facts = factsOf(state, id)
  return facts ? facts.fingerprint : state.cells.find((cell) => cell.id === id && cell.kind === 'sql')?.source
}
