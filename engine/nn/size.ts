import { z } from 'zod'
import { MixlabError } from '../errors.ts'
import { parseOptions } from '../options.ts'
import { ends } from './ends.ts'
import { type Activation, activations } from './layers/activation.ts'
import type { Patch } from './layers/patchEmbed.ts'
import type { Block, BlockStage, Parts, Size } from './types.ts'

const count = z.int().min(1)
const rate = z.number().min(0).lt(1).default(0)
/** A square is a number, however it is written: so it has the run keys of that number. */
const patch = z
  .union([count, z.tuple([count, count])], 'a whole number of at least 1, or two, [height, width]')
  .transform((sides): Patch => (typeof sides !== 'number' && sides[0] === sides[1] ? sides[0] : sides))

/** The options of the model around the blocks: a study sets them for all variants, a variant for itself. */
const options = {
  /** Side of a patch in pixels, or height and width. */
  patch: patch.default(4),
  /** Channels of the residual stream, d_model. */
  dim: count.default(64),
  /** Number of blocks. */
  depth: z.int().min(0).max(1000).default(6),
  /** Hidden channels of a block, d_ffn. */
  ffn: count.optional(),
  /** ffn as a multiple of dim, where ffn is not given. */
  ffnRatio: z.number().positive().default(4),
  /** Drop-path rate of stochastic depth. */
  dropPath: z.number().min(0).lt(1).default(0),
  /** The same rate in all blocks, or rising linearly from 0 at the first to the rate at the last. */
  dropPathDecay: z.enum(['constant', 'linear']).default('constant'),
  /** Rates of dropout by place; see dropout.ts. */
  dropout: z
    .strictObject({ hidden: rate, activation: rate, attention: rate, head: rate, embedding: rate })
    .prefault({}),
  /** Added to the variance in norms, those inside a gate excepted. */
  eps: z.number().positive().default(1e-6),
  /** Of GELU `gelu` is the exact form, `gelu_tanh` and `quick_gelu` are approximations. */
  activation: z.enum(Object.keys(activations) as [Activation, ...Activation[]]).default('gelu'),
}

const resolved = z.looseObject(options)

/** What a user may write under `model:` in a study. */
export const modelSchema = z.strictObject({ ...options, ...ends }).partial()

/** What a stage may set for itself. */
export const stageOptions = z.strictObject(options).omit({ patch: true }).partial()

export type ModelOptions = z.input<typeof modelSchema>

/** Names of the options of the model around the blocks. */
export const MODEL_OPTIONS: readonly string[] = Object.keys({ ...options, ...ends })

/** The size of a model of several sorts of blocks, with those of its parts. */
export interface SizeOfParts extends Size {
  parts: Size[]
}

/**
 * Joins the block's defaults, what the study says and what the variant says, in rising precedence; of parts of a model what
 * each says for itself goes last. A model of stages has the width of the first one. Throws MixlabError `option`.
 */
export function resolveSize(block: Block, model: ModelOptions, path: string): Size {
  const { stem: _, head: __, ...shared } = model
  const { ffn, ...given } = parseOptions(resolved, { ...block.defaults, ...shared, ...block.options }, path)
  const size = block.stages ? { ...given, ...sizeOfStages(block, block.stages(given as never), path) } : given
  const own = ffn === undefined ? { ffn: Math.floor(size.dim * size.ffnRatio) } : { ffn, ffnRatio: ffn / size.dim }
  const whole = { ...size, ...own }
  return block.parts ? withParts(block, block.parts, whole, shared, path) : whole
}

/** The depth of all stages of a pyramid, and the width of the first one. Throws MixlabError `option`. */
function sizeOfStages({ options }: Block, stages: readonly BlockStage[], path: string): Pick<Size, 'depth' | 'dim'> {
  for (const [i, { block, depth, dim }] of stages.entries()) {
    for (const [name, value] of Object.entries({ depth, dim, ...block.options })) {
      if (value === undefined)
        throw new MixlabError('option', path, `has no ${name} for stage ${i} of ${stages.length}`)
      if ((name === 'depth' || name === 'dim') && !count.safeParse(value).success)
        throw new MixlabError('option', path, `${name} ${value} of stage ${i}, expected a whole number of at least 1`)
    }
  }
  const [first] = stages
  if (!first) throw new MixlabError('option', path, 'has no stages, expected at least one')
  const own = { depth: stages.reduce((sum, { depth }) => sum + Number(depth), 0), dim: Number(first.dim) }
  for (const [name, value] of Object.entries(own)) {
    const said = options[name] ?? value
    if (said !== value) throw new MixlabError('option', `${path}.${name}`, `${said}, but its stages say ${value}`)
  }
  return own
}

function withParts(
  { options, defaults }: Block,
  { list, repeats }: Parts,
  size: Size,
  model: ModelOptions,
  path: string,
): SizeOfParts {
  const { depth: _, ...shared } = { ...model, ...options }
  const parts = list.map(({ block }, i) => resolveSize(block, shared, `${path}.${i}`))
  const [{ dim, ffn, ffnRatio }] = parts as [Size]
  const blocks = Number(defaults.depth)
  const wrong = repeats
    ? size.depth % blocks > 0 && `${size.depth}, expected a multiple of ${blocks}, the number of its blocks`
    : options.depth !== undefined && `its stages say how many blocks it has, ${blocks}`
  if (wrong) throw new MixlabError('option', `${path}.depth`, wrong)
  return { ...size, dim, ffn, ffnRatio, depth: repeats ? size.depth : blocks, parts }
}
