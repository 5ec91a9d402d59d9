/** A row of `npm run bench:pace`: one quantity that is promised, measured by ours and, where there is one, by a twin in turns. */
export interface PaceRow {
  /** By which it is chosen on the command line. */
  name: string
  /** What is measured, as a sentence without its end. */
  title: string
  unit: 's' | 'ms' | 'share' | 'ratio'
  /** The most that is promised, in the unit; of a ratio, of ours over the twin. */
  goal?: number | undefined
  /** What is measured once and for all before the first round, such as files that both read. */
  prepare?: (() => Promise<void>) | undefined
  /** One round, in the unit; of a ratio, seconds. Throws `NotMeasured` where this machine lacks what it takes. */
  ours: () => Promise<number>
  /** One round of the same by something else, and its name. */
  twin?: { name: string; measure: () => Promise<number> } | undefined
  /** Removes what was prepared. */
  end?: (() => Promise<void>) | undefined
}

/** This machine has no such thing: `not measured: no PyTorch`. */
export class NotMeasured extends Error {}
