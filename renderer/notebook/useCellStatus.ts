import { factsOf, useNotebook } from './state.ts'
import { type Status, statusOf } from './status.ts'

/** The status of a cell now. */
export function useCellStatus(id: string): Status {
  return useNotebook((state) => {
    const known = state.states[id]
    return known ? statusOf(known.phase, known.fingerprint, factsOf(state, id)?.fingerprint) : 'idle'
  })
}
