import type { Outcomes } from '../records/outcomes/outcomes.ts'

/** Which examples are shown; a class and a predicted class by their numbers. */
export interface Selection {
  which: 'all' | 'right' | 'wrong'
  label?: number | undefined
  predicted?: number | undefined
}

/** The rows of the lists that are selected, those of the largest loss first; what is not a number counts as the largest. */
export function selected(outcomes: Outcomes, { which, label, predicted }: Selection): number[] {
  const { loss, right } = outcomes
  const isWanted = (row: number) =>
    (which === 'all' || !right || (right[row] === 1) === (which === 'right')) &&
    (label === undefined || outcomes.label?.[row] === label) &&
    (predicted === undefined || outcomes.predicted?.[row] === predicted)
  const size = (row: number) => (Number.isNaN(loss[row]) ? Number.POSITIVE_INFINITY : (loss[row] as number))
  const rows = outcomes.index.map((_, row) => row).filter(isWanted)
  return rows.sort((a, b) => (size(b) === size(a) ? a - b : size(b) - size(a)))
}
