import { dependenciesOf } from '../../engine/notebook/graph.ts'
import type { NotebookFacts } from '../../engine/notebook/types.ts'

export interface ScheduledCell {
  id: string
  /** Asked for by the user, so a study is trained; else the cell is only evaluated. */
  wanted: boolean
}

/**
 * What running the `wanted` cells takes, in order: before each of them the cells it depends on whose values the kernel
 * lacks or holds from an older text. `evaluated` has the fingerprints of the values the kernel holds.
 */
export function schedule(facts: NotebookFacts, evaluated: Record<string, string>, wanted: string[]): ScheduledCell[] {
  const current = new Map(facts.cells.map((cell) => [cell.id, cell.fingerprint]))
  const needed = new Set(wanted.flatMap((id) => [...dependenciesOf(facts, id)]))
  const ordered = [...facts.order, ...wanted.filter((id) => !facts.order.includes(id))]
  return ordered
    .filter((id) => wanted.includes(id) || (needed.has(id) && evaluated[id] !== current.get(id)))
    .map((id) => ({ id, wanted: wanted.includes(id) }))
}
