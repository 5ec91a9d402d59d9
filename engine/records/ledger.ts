import { z } from 'zod'

/** A network of a study by what it does, whatever it and its parameters are called, and what it is compared on. */
export interface Arm {
  /** Digest of the recorded graph of an evaluation, without the names and initial values of parameters. */
  network: string
  /** Digest of task and data, without the seed of the data and the sizes of its parts. */
  on: string
}

/** Where a comparison of a study stands among all that its store has seen of these networks. */
export interface Standing {
  variant: string
  /** Its family: comparisons on the same task and data, each of which shares a network with another; null where it is not entered yet. */
  family: number | null
  /** Comparisons in the family by now, and how many of them this study has entered at once. */
  comparisons: number
  entered: number
  /** Its place in the family, from 1 on. */
  place: number
  /** The level of all that the study has entered at once. */
  level: number
  /** When the family was closed, in ms since 1970; null while it is open. */
  closedAt: number | null
  /** The family of these networks that was closed before this one began; null where there was none. */
  before: { comparisons: number; closedAt: number } | null
}

/** A family of comparisons as it is listed. */
export interface ComparisonFamily {
  id: number
  /** Names of the studies that entered them. */
  studies: string[]
  /** Names of the variants that were compared, the first ones first, and how many comparisons there are. */
  variants: string[]
  comparisons: number
  /** When the first comparison was entered, and when it was closed, in ms since 1970; null while it is open. */
  openedAt: number
  closedAt: number | null
}

export const armSchema: z.ZodType<Arm> = z.strictObject({ network: z.string(), on: z.string() })

const time = z.int().nullable()
export const standingSchema: z.ZodType<Standing> = z.strictObject({
  variant: z.string(),
  family: z.int().nullable(),
  comparisons: z.int(),
  entered: z.int(),
  place: z.int(),
  level: z.number(),
  closedAt: time,
  before: z.strictObject({ comparisons: z.int(), closedAt: z.int() }).nullable(),
})
