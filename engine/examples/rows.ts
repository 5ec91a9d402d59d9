import type { Outcomes, RunOutcomes } from '../records/outcomes/outcomes.ts'

/** What a run came to on one test example; what its task has not is null. */
export interface ExampleRow {
  test: string
  /** Its place in the test. */
  example: number
  loss: number
  /** 1 for right and 0 for wrong, or the share that is right. */
  right: number | null
  /** Class and predicted class. */
  class: string | null
  predicted: string | null
  /** What the model gave the predicted class, or its answer. */
  probability: number | null
  /** What it gave the class. */
  truth: number | null
  /** Characters of the passage that are its answer; both -1 for none. */
  start: number | null
  end: number | null
  f1: number | null
  /** One number that was predicted, and what it should have been. */
  prediction: number | null
  target: number | null
}

/** The columns of rows, in their order. */
export const COLUMNS: readonly (keyof ExampleRow)[] = [
  ...(['test', 'example', 'loss', 'right', 'class', 'predicted', 'probability', 'truth'] as const),
  ...(['start', 'end', 'f1', 'prediction', 'target'] as const),
]

/** The rows of all tests of a run. */
export function exampleRows(outcomes: RunOutcomes): ExampleRow[] {
  return Object.entries(outcomes).flatMap(([test, each]) => each.index.map((_, row) => rowOf(test, each, row)))
}

/** The example at `row` of the lists of outcomes. */
export function rowOf(test: string, outcomes: Outcomes, row: number): ExampleRow {
  const { index, loss, classes = [], label, predicted } = outcomes
  const at = (list: readonly number[] | undefined) => list?.[row] ?? null
  const className = (list: readonly number[] | undefined) => (list ? (classes[list[row] as number] ?? null) : null)
  return {
    ...{ test, example: index[row] as number, loss: loss[row] as number, right: at(outcomes.right) },
    ...{ class: className(label), predicted: className(predicted) },
    ...{ probability: at(outcomes.probability), truth: at(outcomes.truth) },
    ...{ start: at(outcomes.start), end: at(outcomes.end), f1: at(outcomes.f1) },
    ...{ prediction: at(outcomes.prediction), target: at(outcomes.target) },
  }
}
