import { dependenciesOf } from '../../../engine/notebook/graph.ts'
import type { NotebookFacts } from '../../../engine/notebook/types.ts'

/**
 * The fingerprints of the values that a kernel holds after it ran a cell, by cell id, without cells that are deleted.
 * `fingerprint` is the cell's, null where it failed. Values made from its earlier ones are `outdated` and no longer
 * count.
 */
export function valuesAfter(
  evaluated: Record<string, string>,
  { cells }: NotebookFacts,
  id: string,
  fingerprint: string | null,
  outdated: string[],
): Record<string, string> {
  const there = cells.map((cell) => cell.id).filter((other) => other !== id && !outdated.includes(other))
  const kept = Object.fromEntries(Object.entries(evaluated).filter(([other]) => there.includes(other)))
  return fingerprint === null ? kept : { ...kept, [id]: fingerprint }
}

/** The cells that use what a cell defines. */
export function usersOf(facts: NotebookFacts, id: string): string[] {
  return facts.cells.filter((cell) => dependenciesOf(facts, cell.id).has(id)).map((cell) => cell.id)
}
