import type { MaskedText } from '../report.ts'

/**
 * What a run came to on one of its tests, example by example: number i of every list is of the same example. What is kept
 * is quantised (codes.ts).
 */
export interface Outcomes {
  /** What the model says of an example: a class, a class for each of its places, a part of a passage, or numbers. */
  kind: 'classes' | 'places' | 'spans' | 'numbers'
  /** Examples of the test; those of the lists are fewer where that would take too much room. */
  tested: number
  /** Places in the test, ascending. */
  index: number[]
  /** What the loss of one example is, in words, e.g. `cross entropy`. */
  lossName: string
  loss: number[]
  /** How much of an example is right, 0 to 1: a class or an answer is or is not; numbers have none. */
  right?: number[] | undefined
  /** What the right part of an example is a share of, e.g. `tokens`. */
  unit?: string | undefined
  classes?: string[] | undefined
  label?: number[] | undefined
  /** The class that the model holds likeliest; of equals one that is wrong. */
  predicted?: number[] | undefined
  /** What the model gives `predicted`, or its answer. */
  probability?: number[] | undefined
  /** What it gives `label`. */
  truth?: number[] | undefined
  /** The answer: characters `start` to `end` (not included) of the passage; -1 for none. */
  start?: number[] | undefined
  end?: number[] | undefined
  /** F1 of the words of the answer. */
  f1?: number[] | undefined
  /** Of one number each. */
  prediction?: number[] | undefined
  target?: number[] | undefined
  /** What was guessed for the masked tokens of the first texts. */
  guesses?: MaskedText[] | undefined
}

/** The outcomes of a run by the test they are of. */
export type RunOutcomes = Record<string, Outcomes>

/** The lists of numbers among the parts of outcomes, but the places. */
export const LISTS = [
  ...(['loss', 'right', 'label', 'predicted', 'probability', 'truth', 'start', 'end', 'f1', 'prediction'] as const),
  'target',
] as const

/** The outcomes of the examples at `rows` of the lists. */
export function outcomesAt(outcomes: Outcomes, rows: readonly number[]): Outcomes {
  const of = (list: readonly number[]) => rows.map((row) => list[row] as number)
  const lists = LISTS.flatMap((name) => (outcomes[name] ? [[name, of(outcomes[name])]] : []))
  return { ...outcomes, index: of(outcomes.index), ...Object.fromEntries(lists) }
}
