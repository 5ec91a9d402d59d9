import { MixlabError } from '../../errors.ts'
import { gmlp, mixer, resmlp, vit } from '../../models/index.ts'
import type { Block } from '../../nn/types.ts'
import type { NamedTensor } from '../safetensors.ts'

/** A model of images that the tensors of a file are of. */
export interface Recognised {
  /** With all its sizes. */
  block: Block
  /** Height, width and channels of a picture. */
  input: [height: number, width: number, channels: number]
  classes: number
  /** By channel, of values from 0 to 1; what the published weights were trained with. */
  mean: readonly number[]
  deviation: readonly number[]
}

/** The length of an axis of a tensor. */
type Length = (name: string, axis: number) => number

interface Family {
  /** A tensor that no other has. */
  mark: string
  stem: string
  /** How many patches its pictures have. */
  tokens: (length: Length) => number
  block: (common: { patch: number | [number, number]; dim: number; depth: number }, length: Length) => Block
  /** Whether values are taken from -1 to 1, or by the mean and deviation of ImageNet. */
  range: 'symmetric' | 'imagenet'
}

/** Width of an attention head in ViT, DeiT and BERT of all sizes. */
const HEAD = 64
const RANGES = {
  symmetric: { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] },
  imagenet: { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] },
}

/** The architectures that are known by their tensors; an entry here adds one. Names, widths and ranges are those of timm. */
const families: readonly Family[] = [
  {
    mark: 'blocks.0.mlp_channels.gate.proj.weight',
    stem: 'stem.proj.weight',
    tokens: (length) => length('blocks.0.mlp_channels.gate.proj.weight', 0),
    block: (common, length) => gmlp({ ...common, ffn: length('blocks.0.mlp_channels.fc1.weight', 0) }),
    range: 'symmetric',
  },
  {
    mark: 'blocks.0.mlp_tokens.fc1.weight',
    stem: 'stem.proj.weight',
    tokens: (length) => length('blocks.0.mlp_tokens.fc1.weight', 1),
    block: (common, length) =>
      mixer({
        ...common,
        ffn: length('blocks.0.mlp_channels.fc1.weight', 0),
        tokenRatio: length('blocks.0.mlp_tokens.fc1.weight', 0) / common.dim,
      }),
    range: 'symmetric',
  },
  {
    mark: 'blocks.0.linear_tokens.weight',
    stem: 'stem.proj.weight',
    tokens: (length) => length('blocks.0.linear_tokens.weight', 0),
    block: (common, length) => resmlp({ ...common, ffn: length('blocks.0.mlp_channels.fc1.weight', 0) }),
    range: 'imagenet',
  },
  {
    mark: 'blocks.0.attn.qkv.weight',
    stem: 'patch_embed.proj.weight',
    tokens: (length) => length('pos_embed', 1) - 1,
    block: (common, length) =>
      vit({ ...common, ffn: length('blocks.0.mlp.fc1.weight', 0), heads: Math.max(1, Math.round(common.dim / HEAD)) }),
    range: 'imagenet',
  },
]

/**
 * The model that the tensors of a file are of, by their names and shapes; pictures are taken as square. Throws MixlabError
 * `weights` where it is none that is known; `source` names the file.
 */
export function recognise(tensors: readonly NamedTensor[], source: string): Recognised {
  const shapes = new Map(tensors.map(({ name, shape }) => [name, shape]))
  const fail = (what: string) => new MixlabError('weights', source, what)
  const family = families.find(({ mark }) => shapes.has(mark))
  if (!family) throw fail('its tensors are not those of a gMLP, Mixer, ResMLP or ViT of pictures')
  const length: Length = (name, axis) => {
    const found = shapes.get(name)?.[axis]
    if (!found) throw fail(`has no '${name}' with ${axis + 1} axes`)
    return found
  }
  const { stem, range } = family
  const [dim, channels, height, width] = [0, 1, 2, 3].map((axis) => length(stem, axis)) as [
    number,
    number,
    number,
    number,
  ]
  const side = Math.sqrt(family.tokens(length))
  if (!Number.isInteger(side)) throw fail(`is of ${side ** 2} patches, which are no square`)
  const numbers = tensors.flatMap(({ name }) => /^blocks\.(\d+)\./.exec(name)?.[1] ?? [])
  const depth = 1 + Math.max(...numbers.map(Number))
  const { mean, deviation } = RANGES[range]
  return {
    block: family.block({ patch: height === width ? height : [height, width], dim, depth }, length),
    input: [side * height, side * width, channels],
    classes: length('head.weight', 0),
    mean: mean.slice(0, channels),
    deviation: deviation.slice(0, channels),
  }
}
