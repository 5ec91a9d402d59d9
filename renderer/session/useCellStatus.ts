import type { PageCell } from './edit.ts'
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
  return facts ? facts.fingerprint : queriesIn(state.cells).get(id)
}

function queriesIn(cells: PageCell[]): Map<string, string> {
  const known =
    queries.get(cells) ?? new Map(cells.flatMap(({ id, kind, source }) => (kind === 'sql' ? [[id, source]] : [])))
  queries.set(cells, known)
  return known
}

/** Every cell on the page asks at every change of anything. */
const queries = new WeakMap<PageCell[], Map<string, string>>()
