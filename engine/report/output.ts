import { z } from 'zod'
import { dataBody } from '../datacard/schema.ts'
import { designSchema, variantFloorsSchema } from '../records/design.ts'

const value = z.union([z.number(), z.string(), z.null()])
const numbers = z.array(z.number().nullable())
const titles = { title: z.string().nullable(), xLabel: z.string().nullable(), yLabel: z.string().nullable() }

const marks = z.object({
  type: z.literal('marks'),
  mark: z.enum(['line', 'scatter', 'bar']),
  series: z.array(
    z.object({
      ...{ name: z.string(), x: z.array(value), y: numbers, color: numbers.optional() },
      band: z.object({ low: numbers, high: numbers }).optional(),
      place: z.int().nonnegative().optional(),
    }),
  ),
  barWidth: z.number().nullable().catch(null),
  share: z.boolean().optional(),
  note: z.string().nullable(),
  ...titles,
})

const heatmap = z.object({
  type: z.literal('heatmap'),
  z: z.array(numbers),
  x: z.array(value).nullable(),
  y: z.array(value).nullable(),
  note: z.string().nullable(),
  ...titles,
})

const panels = z.object({
  type: z.literal('panels'),
  panels: z.array(z.discriminatedUnion('type', [marks, heatmap])),
  columns: z.int().positive(),
  title: z.string().nullable(),
})

const table = z.object({
  type: z.literal('table'),
  columns: z.array(z.string()),
  rows: z.array(z.array(value)),
  total: z.number(),
})

const figure = z.discriminatedUnion('type', [marks, heatmap, table])

const images = z.object({
  type: z.literal('images'),
  width: z.int().positive(),
  height: z.int().positive(),
  channels: z.union([z.literal(1), z.literal(3)]),
  images: z.array(z.base64()),
  note: z.string().nullable(),
})

const tensor = z.object({ type: z.literal('tensor'), figure: figure.nullable() })

const shown = z.object({
  kind: z.string(),
  text: z.string(),
  body: z
    .discriminatedUnion('type', [marks, heatmap, panels, table, images, tensor, dataBody])
    .optional()
    .catch(undefined),
})

/** What a report needs of what a cell showed, as the page stores it. What it does not know it leaves out. */
const cellOutput = z.object({
  console: z.array(z.object({ level: z.enum(['log', 'warn', 'error']), text: z.string() })).catch([]),
  displays: z.array(shown).catch([]),
  value: shown.nullable().catch(null),
  error: z.object({ message: z.string(), line: z.number().nullable() }).nullable().catch(null),
  studies: z
    .array(
      z.object({
        study: z.string(),
        metric: z.string(),
        variants: z.array(z.string()),
        runs: z.array(z.object({ key: z.string(), variant: z.string(), seed: z.number() })),
        arms: z.array(variantFloorsSchema).optional().catch(undefined),
        design: designSchema.optional().catch(undefined), // those of before have none
      }),
    )
    .catch([]),
  query: z
    .object({ columns: z.array(z.string()), rows: z.array(z.array(value)), truncated: z.boolean() })
    .nullable()
    .catch(null),
})

export type ShownOutput = z.infer<typeof cellOutput>
export type ShownValue = z.infer<typeof shown>
export type ShownStudy = ShownOutput['studies'][number]
export type ShownQuery = NonNullable<ShownOutput['query']>
/** What is drawn by charts. */
export type ShownDrawing = z.infer<typeof marks> | z.infer<typeof heatmap> | z.infer<typeof panels>
export type ShownTable = z.infer<typeof table>
export type ShownImages = z.infer<typeof images>

/** A stored output, or null where it says nothing. */
export function readOutput(stored: unknown): ShownOutput | null {
  const { data } = cellOutput.safeParse(stored)
  if (!data) return null
  const { console, displays, value, error, studies, query } = data
  return console.length + displays.length + studies.length > 0 || value || error || query ? data : null
}
