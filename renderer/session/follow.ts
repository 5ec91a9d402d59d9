import type { NotebookFacts } from '../../engine/notebook/types.ts'

/** A cell that took longer does not run by itself; in ms. */
export const CHEAP = 300

/** What is known of a cell from its last run since the notebook was opened. */
export interface LastRun {
  source: string
  ms: number
  /** Whether it defined a study. */
  trains: boolean
}

export interface RunState {
  ran: Map<string, LastRun>
  /** Fingerprints of the values that the kernel holds. */
  evaluated: Record<string, string>
  queue: string[]
}

/**
 * The cells that may run again by themselves now that cell `id` has: they use what it defines, ran in this session with
 * the text they have now, were quick, define no study, and nothing else that they use is out of date.
 */
export function followersOf(
  id: string,
  facts: NotebookFacts,
  source: (id: string) => string | undefined,
  { ran, evaluated, queue }: RunState,
): string[] {
  const current = new Map(facts.cells.map((cell) => [cell.id, cell.fingerprint]))
  const ready = (other: string) => queue.includes(other) || evaluated[other] === current.get(other)
  return facts.cells
    .filter((cell) => {
      const last = ran.get(cell.id)
      if (!last || last.trains || last.ms > CHEAP || last.source !== source(cell.id)) return false
      return cell.dependsOn.includes(id) && cell.dependsOn.every(ready) && !queue.includes(cell.id)
    })
    .map((cell) => cell.id)
}
