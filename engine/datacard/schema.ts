import { z } from 'zod'

// What a data set says of itself, as plain data: the page, reports and the command line draw the same.

const side = z.int().min(1).max(512)
/** Bytes in base 64; of pictures row by row, channels last. */
const bytes = z.base64().max(2 ** 20)
const words = z.string().max(20_000)

const token = z.object({
  text: words,
  id: z.int(),
  /**
   * `special` as [CLS], `padding`, `unknown`; `masked`, `replaced` by any token and `kept` are asked for, and `was` says what
   * stood there; `answer` is in the span that is asked for, `next` the one to be told from those before.
   */
  is: z.enum(['special', 'padding', 'unknown', 'masked', 'replaced', 'kept', 'answer', 'next']).optional(),
  was: words.optional(),
  /** Of the second of two texts. */
  second: z.literal(true).optional(),
})

/** A part of an example, as it is drawn. */
const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('image'), width: side, height: side, channels: z.literal([1, 3]), pixels: bytes }),
  /** The class of each pixel, a byte each. */
  z.object({ type: z.literal('mask'), width: side, height: side, pixels: bytes, classes: z.array(words).max(256) }),
  z.object({ type: z.literal('tokens'), tokens: z.array(token).max(512), left: z.int().min(0) }),
  z.object({ type: z.literal('text'), text: words }),
  /** `x, y, z` of each, within -1..1. */
  z.object({ type: z.literal('points'), points: z.array(z.number()).max(3 * 1024) }),
  /** Values by channel and step; those from `from` on are forecast. */
  z.object({
    type: z.literal('series'),
    channels: z.array(z.array(z.number()).max(1024)).max(16),
    from: z.int().nullable(),
  }),
  /** One class, or several with their shares, as mixup makes of labels. */
  z.object({ type: z.literal('class'), shares: z.array(z.object({ name: words, share: z.number() })).max(1000) }),
  z.object({ type: z.literal('values'), values: z.array(z.number()).max(64), of: z.int() }),
])

const sample = z.object({ title: words, parts: z.array(z.object({ name: words, part })).max(32) })

const samples = z.object({
  /** What these are: examples of a split, or a batch. */
  title: words,
  samples: z.array(sample).max(64),
  /** What was left out, or done, in sentences. */
  notes: z.array(words),
})

const card = z.object({
  name: words,
  /** As a cell names it. */
  expression: words,
  /** What it holds, in words. */
  kind: words,
  /** The task that it is read for. */
  task: words,
  splits: z.array(z.object({ name: words, size: z.number(), unit: z.enum(['examples', 'bytes']) })),
  /** Its parts and their shapes. */
  shape: words,
  /** What classes are counted of, e.g. `pixels`; null without classes. */
  classes: z
    .object({
      of: words,
      /** By class: its count in each split, in their order, and an example. */
      list: z.array(z.object({ name: words, counts: z.array(z.number()), example: sample.nullable() })).max(1000),
      /** Classes beyond these. */
      left: z.int(),
    })
    .nullable(),
  source: words,
  licence: words.nullable(),
  /** SHA-256 of everything that decides the examples. */
  hash: words,
  /** What is to be known before one trains on it: imbalance, duplicates, files that cannot be read. */
  notices: z.array(words),
  /** What was looked at for that. */
  looked: words,
})

/** What a cell shows of a data set. */
export const dataBody = z.object({
  type: z.literal('data'),
  card: card.nullable(),
  samples: samples.nullable(),
  batch: samples.nullable(),
})

export type Token = z.output<typeof token>
export type SamplePart = z.output<typeof part>
export type PartOf<Type extends SamplePart['type']> = Extract<SamplePart, { type: Type }>
export type Sample = z.output<typeof sample>
export type Samples = z.output<typeof samples>
export type DataCard = z.output<typeof card>
export type DataBody = z.output<typeof dataBody>
