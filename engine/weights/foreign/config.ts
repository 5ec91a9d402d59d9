import { z } from 'zod'
import { MixlabError, suggest } from '../../errors.ts'
import type { Activation } from '../../nn/layers/activation.ts'
import { parseOptions } from '../../options.ts'
import type { Configuration, Facts } from './facts.ts'

const count = z.int().min(1).nullish()
const positive = z.number().positive().nullish()
const text = z.string().nullish()
const sides = z.union([z.int().min(1), z.tuple([z.int().min(1), z.int().min(1)])]).nullish()
const values = z.array(z.number()).min(1).nullish()
const flag = z.boolean().nullish()

/** Longest side of a picture that a configuration may ask for, in pixels. */
const MAX_SIDE = 8192

/** What is read of `config.json`, at its top or below `model_args` or `pretrained_cfg`. */
const level = z.looseObject({
  architecture: text,
  ...{ num_heads: count, num_attention_heads: count, act_layer: text, hidden_act: text, hidden_activation: text },
  ...{ layer_norm_eps: positive, norm_eps: positive, layer_norm_epsilon: positive },
  ...{ global_pool: text, input_size: z.array(z.int().min(1).max(MAX_SIDE)).length(3).nullish() },
  ...{ img_size: sides, image_size: sides, patch_size: sides, in_chans: count, num_channels: count },
  ...{ embed_dim: count, hidden_size: count, depth: count, num_blocks: count, num_hidden_layers: count },
  intermediate_size: count,
  ...{ mean: values, std: values, crop_mode: text, interpolation: text },
  crop_pct: z.number().positive().max(1).nullish(),
  label_names: z.array(z.string()).nullish(),
  id2label: z.record(z.string(), z.string()).nullish(),
})

const edges = z.looseObject({ height: count, width: count, shortest_edge: count })
const extent = z.union([z.int().min(1), edges]).nullish()

/** What is read of `preprocessor_config.json`. */
const preprocessor = z.looseObject({
  ...{ image_mean: values, image_std: values, do_normalize: flag, do_rescale: flag, rescale_factor: positive },
  ...{ do_resize: flag, size: extent, do_center_crop: flag, crop_size: extent, do_flip_channel_order: flag },
  resample: z.union([z.int(), z.string()]).nullish(),
})

/** Names of activations in timm and Hugging Face. */
const ACTIVATIONS: Record<string, Activation> = {
  ...{ gelu: 'gelu', gelu_python: 'gelu', quick_gelu: 'quick_gelu', quickgelu: 'quick_gelu' },
  ...{ gelu_new: 'gelu_tanh', gelu_fast: 'gelu_tanh', gelu_tanh: 'gelu_tanh', gelu_pytorch_tanh: 'gelu_tanh' },
  ...{ relu: 'relu', silu: 'silu', swish: 'silu' },
}
const POOLS = { token: 'token', avg: 'mean' } as const

/** Mean and deviation of ImageNet, as most have them. */
export const IMAGENET = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] }

/** How configurations and options name what a table here knows. Throws MixlabError `option`; `where` is what names it. */
function named<Known>(table: Record<string, Known>, name: string | null | undefined, where: string): Known | undefined {
  if (name === null || name === undefined) return undefined
  if (Object.hasOwn(table, name)) return table[name]
  throw new MixlabError('option', where, `'${name}' is not known here${suggest(name, Object.keys(table))}`)
}

/** The activation of a name of timm or Hugging Face. Throws MixlabError `option`; `where` is what names it. */
export const activationNamed = (name: string | null | undefined, where: string) => named(ACTIVATIONS, name, where)

/** The pooling of a name of timm; likewise. */
export const poolNamed = (name: string | null | undefined, where: string) => named(POOLS, name, where)

/**
 * What `config.json` says, with the names of timm and Hugging Face, and `preprocessor_config.json` of the latter. Throws
 * MixlabError `option` for what is not as these have it, names that are not known here included unless it is `given`
 * otherwise; `where` names the first.
 */
export function readConfiguration(
  config: string,
  preprocessing: string | null,
  where: string,
  given: Facts = {},
): Configuration {
  const top = parsed(level, config, where)
  const below = (name: string) => parseOptions(level, top[name] ?? {}, `${where}: ${name}`)
  const levels = [below('model_args'), top, below('pretrained_cfg')]
  type Key = keyof z.output<typeof level>
  const first = <Name extends Key>(...names: Name[]): NonNullable<z.output<typeof level>[Name]> | undefined => {
    for (const each of levels)
      for (const name of names) if (each[name] !== undefined && each[name] !== null) return each[name]
    return undefined
  }
  const activation = given.activation ? undefined : first('act_layer', 'hidden_act', 'hidden_activation')
  const pool = given.pool ? undefined : first('global_pool')
  const [, ...input] = first('input_size') ?? []
  const image = first('img_size', 'image_size')
  const dim = first('embed_dim', 'hidden_size')
  const patch = first('patch_size')
  const own = preprocessing === null ? { facts: {}, notes: [] } : readPreprocessing(preprocessing, where)
  const interpolation = first('interpolation')
  return {
    facts: {
      heads: first('num_heads', 'num_attention_heads'),
      activation: activationNamed(activation, `${where}: activation`),
      eps: first('layer_norm_eps', 'norm_eps', 'layer_norm_epsilon'),
      pool: poolNamed(pool, `${where}: global_pool`),
      size: image ? both(image) : input.length > 0 ? (input as [number, number]) : undefined,
      mean: first('mean'),
      deviation: first('std'),
      crop: first('crop_pct'),
      squash: first('crop_mode') === 'squash' || undefined,
      labels: first('label_names') ?? listed(first('id2label')),
      ...own.facts,
    },
    sizes: {
      dim,
      depth: first('depth', 'num_blocks', 'num_hidden_layers'),
      ffn: first('intermediate_size'),
      patch: patch ? both(patch) : undefined,
      channels: first('in_chans', 'num_channels'),
    },
    architecture: first('architecture'),
    notes: [...(interpolation ? otherwise(interpolation) : []), ...own.notes],
  }
}

function readPreprocessing(json: string, beside: string): { facts: Facts; notes: string[] } {
  const given = parsed(preprocessor, json, beside.replace(/config\.json/, 'preprocessor_config.json'))
  const { do_resize = true, do_center_crop, do_flip_channel_order, resample } = given
  const { image_mean: mean = [0], image_std: std = [1], do_normalize = true } = given
  const scale = 255 * (given.do_rescale === false ? 1 : (given.rescale_factor ?? 1 / 255)) // of pixels from 0 to 1
  const [size, cut] = [sideOf(given.size), sideOf(given.crop_size)]
  const known = given.image_mean !== undefined || given.do_normalize === false
  const cropped = do_center_crop === true && size && cut ? Math.min(1, cut / size) : undefined
  return {
    facts: {
      ...(known && {
        mean: do_normalize === false ? [0] : (mean ?? [0]).map((value) => value / scale),
        deviation: (do_normalize === false ? [1] : (std ?? [1])).map((value) => value / scale),
      }),
      ...(cropped !== undefined && { crop: cropped }),
      ...(do_resize && do_center_crop !== true && isExact(given.size) && { squash: true }),
      ...(do_flip_channel_order && { bgr: true }),
    },
    notes: resample === undefined || resample === null ? [] : otherwise(RESAMPLE[resample] ?? String(resample)),
  }
}

/** Filters by their number in Pillow. */
const RESAMPLE: Record<string | number, string> = { 0: 'nearest', 1: 'lanczos', 2: 'bilinear', 3: 'bicubic' }

const otherwise = (filter: string) =>
  filter === 'bilinear' ? [] : [`pictures are resized bilinearly, its configuration says ${filter}`]

const both = (sides: number | [number, number]): [number, number] =>
  typeof sides === 'number' ? [sides, sides] : sides

type Extent = z.output<typeof extent>
const sideOf = (given: Extent) => (typeof given === 'number' ? given : (given?.shortest_edge ?? given?.height))
/** Of older files a number stands for both sides. */
const isExact = (given: Extent) => typeof given === 'number' || Boolean(given?.height)

/** `{ "0": "cat", "1": "dog" }` as a list; undefined where numbers are missing. */
function listed(labels: Record<string, string> | undefined): string[] | undefined {
  if (!labels) return undefined
  const found = Object.keys(labels).map((_, i) => labels[i])
  return found.every((label) => label !== undefined) ? (found as string[]) : undefined
}

function parsed<Shape>(schema: z.ZodType<Shape>, json: string, where: string): Shape {
  let given: unknown
  try {
    given = JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch {
    throw new MixlabError('option', where, 'is no JSON')
  }
  return parseOptions(schema, given, where)
}
