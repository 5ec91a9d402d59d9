import { z } from 'zod'
import { MixlabError } from '../../errors.ts'

const options = z.record(z.string(), z.unknown())
/** What a part of a model says for itself. */
const part = z.looseObject({
  get parts() {
    return z.array(part).optional()
  },
})
const codes = z.record(z.string(), z.union([z.string(), z.strictObject({ digest: z.string(), code: z.string() })]))
const schema = z.object({
  numerics: z.number(),
  data: z.string(),
  model: z.looseObject({
    block: z.string(),
    code: z.string(),
    numerics: z.number().optional(),
    digest: z.string().optional(),
    /** Lines of cells, in words. */
    surrogates: z.string().optional(),
    /** Of a model of several sorts of blocks, in their order. */
    parts: z.array(part).optional(),
  }),
  train: options,
  seed: z.number(),
  task: z.object({ task: z.string(), options, base: z.string().optional() }),
  metrics: codes.optional(),
  /** What is read off the model at evaluations. */
  readouts: codes.optional(),
  /** What cells define of it beside block and metrics. */
  definitions: codes.optional(),
  metric: z.string().optional(),
  teacher: z.object({ key: z.string(), study: z.string(), variant: z.string(), seed: z.number() }).optional(),
  from: z
    .union([
      z.object({
        ...{ key: z.string(), study: z.string(), variant: z.string(), seed: z.number() },
        ...{ fresh: z.array(z.string()).optional(), tokens: z.enum(['resized', 'copied']).optional() },
      }),
      z.object({
        ...{ key: z.string(), path: z.string(), sha256: z.string() },
        ...{ resize: z.literal(true).optional(), prefix: z.string().optional() },
      }),
    ])
    .optional(),
})

/** The spec of a run as the store keeps it; see plan.ts. */
export type RecordedSpec = z.output<typeof schema>

export type RecordedPart = z.output<typeof part>

/** Reads a spec from the store. Throws MixlabError `store` for one of another shape; `run` names it. */
export function recordedSpec(spec: unknown, run: string): RecordedSpec {
  const { data, error } = schema.safeParse(spec)
  if (data) return data
  throw new MixlabError('store', run, `its spec is of another shape: ${error.issues[0]?.path.join('.')}`)
}
