import { MixlabError } from '../errors.ts'

/** How much of a notebook is analysed. A cell beyond it has an error, and can be read and written as any other text. */
export const BOUNDS = {
  /** Code cells. */
  cells: 2_000,
  /** How often characters of one cell may be read, without its types once more; usually it is three times each. */
  cellReads: 600_000,
  /** The same of all cells together; beyond it none is read any more. */
  reads: 1_200_000,
  /** How deep parts of the code may stand within others, such as the 1 in `((1 + 2) + 3) + 4`. */
  depth: 1_000,
  /** How deep scopes may. */
  scopes: 150,
} as const

/** Thrown where code is beyond a bound. */
export class LimitExceeded extends Error {}

/** Counts how often characters are read. */
export interface Meter {
  reads: number
  most: number
}

/**
 * A text whose reading is counted. Where TypeScript is ambiguous, as in `<T>(a = <T>(a = `, sucrase reads on and, where
 * that fails, starts again, for each such place within another: 28 of them would be read 2^28 times.
 */
export class MeteredText extends String {
  private readonly meter: Meter

  constructor(text: string, meter: Meter) {
    super(text)
    this.meter = meter
  }

  /** Throws TooMuch. */
  override charCodeAt(index: number): number {
    if (++this.meter.reads > this.meter.most) throw new LimitExceeded()
    return super.charCodeAt(index)
  }
}

/** What `read` gives. Throws MixlabError `notebook` where the code of the cell is beyond a bound, or the stack too small. */
export function bounded<T>(cell: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof LimitExceeded || error instanceof RangeError)) throw error
    throw new MixlabError('notebook', cell, 'this cell is too long or too deeply nested to be analysed')
  }
}
