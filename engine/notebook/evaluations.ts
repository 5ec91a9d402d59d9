import { disposeLeftovers, type LeftoverTensors } from './tensors.ts'

/** One evaluation of a cell. */
interface Evaluation {
  /** What it left in memory. */
  left: LeftoverTensors
  /** The evaluations of other cells whose values it was given. */
  given: Evaluation[]
}

/**
 * What the evaluations of cells left in memory. It is disposed when its cell is forgotten or runs again, or later, once
 * no cell is left that was given values of that evaluation, directly or through others.
 */
export interface Evaluations {
  /** Notes an evaluation of `cell`, which was given values of `cells`. */
  add(cell: string, left: LeftoverTensors, cells: string[]): void
  /** The latest evaluation of `cell` is none any more. */
  forget(cell: string): void
}

/** No cell has been evaluated. */
export function createEvaluations(): Evaluations {
  const latest = new Map<string, Evaluation>()
  let all = new Set<Evaluation>()

  return {
    add(cell, left, cells) {
      const evaluation = { left, given: cells.flatMap((other) => latest.get(other) ?? []) }
      latest.set(cell, evaluation)
      all.add(evaluation)
    },
    forget(cell) {
      latest.delete(cell)
      const used = new Set<Evaluation>()
      const use = (evaluation: Evaluation) => {
        if (used.has(evaluation)) return
        used.add(evaluation)
        evaluation.given.forEach(use)
      }
      for (const evaluation of latest.values()) use(evaluation)
      for (const evaluation of all) if (!used.has(evaluation)) disposeLeftovers(evaluation.left)
      all = used
    },
  }
}
