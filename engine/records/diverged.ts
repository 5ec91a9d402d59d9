/** What is said of a run whose code gives values that are not finite before anything is learned. */
export const FIRST_NOT_FINITE = 'is the first to give such a value'

/** Why a run failed whose loss is not finite. The store keeps it with the run: what it says is read by `saysDiverged`. */
export function divergedText(loss: number, step: number): string {
  return `loss is ${loss} at step ${step}`
}

/** The line of a cell, `own:5`, that an error of a run begins with; null where it names none. */
export const lineNamed = (error: string): string | null => /^(\S+:\d+): /.exec(error)?.[1] ?? null

/** Whether a run failed because its loss became a value that is not finite, and its code alone does not give such values. */
export function saysDiverged(error: string): boolean {
  return /\bloss is (NaN|-?Infinity) at step \d+/.test(error) && !error.includes(FIRST_NOT_FINITE)
}
