import type { Block, Modality } from '../nn/types.ts'
import { amlp, bert, eamlp, ffOnly, gmlp, mixer, repmlpNet, resmlp, resnet, vit } from './index.ts'

/** A size as published. */
export interface PublishedSize {
  /** The block with the options of this size. */
  block: Block
  modality: Modality
  /** Shape of one example: `[h, w, c]`, or `[tokens]`. */
  input: number[]
  /** Number of classes, or size of the vocabulary. */
  outputs: number
  /** Millions of parameters as the paper has them; without the head for Mixer. */
  published?: number
  /** Why the published number and ours differ by more than rounding. */
  note?: string
}

const image = (block: Block, published?: number, note?: string): PublishedSize => ({
  block,
  modality: 'image',
  input: [224, 224, 3],
  outputs: 1000,
  ...(published !== undefined && { published }),
  ...(note ? { note } : {}),
})

/** The gMLP paper's vocabulary is 32,000; the output is tied to the embedding and has no bias of its own. */
const text = (block: Block, tokens: number, published: number, note?: string): PublishedSize => ({
  block,
  modality: 'text',
  input: [tokens],
  outputs: 32_000,
  published,
  ...(note ? { note } : {}),
})

const WITHOUT_HEAD = 'the paper counts without the head'
const LARGER = 'the paper is 0.4% larger; timm has our number and reproduces the accuracy'
const CAPTION = 'the caption of table 3 has ffn 3072, with which it would be 130 M; 2048 gives the published number'
const TABLES = 'ours has the tables of relative positions too, 384 values a layer'

const deep = { dim: 512, ffn: 3072 }
const ungated = { dim: 512, ffn: 2048, depth: 36 }

/** The Transformer of the gMLP paper: no segments, nothing between the last block and the tied logits. */
const transformer = { dim: 768, ffn: 3072, heads: 12, segments: 0, headTransform: false, positions: 128 }
/** Those of table 10, deep and thin. */
const thin = (dim: number, depth: number, heads: number) => ({ ...transformer, dim, ffn: 4 * dim, depth, heads })
const relative = { ...transformer, depth: 12, relativeBuckets: 32 }

/**
 * RepMLPNet at pictures of `side` pixels, each of whose maps is one partition: as it is trained, and folded. The numbers of
 * the paper are not at hand.
 */
const repmlpNets = (name: string, side: number, width: number, depth: number, shareSets: number[]) => {
  const channels = [1, 2, 4, 8].map((times) => times * width)
  const partition = [4, 8, 16, 32].map((times) => side / times)
  const net = repmlpNet({ patch: 4, channels, blocks: [2, 2, depth, 2], partition, shareSets })
  const size = { ...image(net), input: [side, side, 3] }
  const folded = { ...size, block: net({ folded: true }) }
  return { [`repmlpnet-${name}${side}`]: size, [`repmlpnet-${name}${side}-folded`]: folded }
}

/** Name to published size. Sources: the papers' tables, see docs/architectures.md. */
export const sizes: Record<string, PublishedSize> = {
  'gmlp-ti16': image(gmlp({ patch: 16, dim: 128, depth: 30 }), 5.9),
  'gmlp-s16': image(gmlp({ patch: 16, dim: 256, depth: 30, dropPath: 0.05 }), 19.5, LARGER),
  'gmlp-b16': image(gmlp({ patch: 16, dim: 512, depth: 30, dropPath: 0.2 }), 73.4, LARGER),

  'mixer-s32': image(mixer({ patch: 32, dim: 512, depth: 8 }), 19, WITHOUT_HEAD),
  'mixer-s16': image(mixer({ patch: 16, dim: 512, depth: 8 }), 18, WITHOUT_HEAD),
  'mixer-b32': image(mixer({ patch: 32, dim: 768, depth: 12 }), 60, WITHOUT_HEAD),
  'mixer-b16': image(mixer({ patch: 16, dim: 768, depth: 12 }), 59, WITHOUT_HEAD),
  'mixer-l32': image(mixer({ patch: 32, dim: 1024, depth: 24 }), 206, WITHOUT_HEAD),
  'mixer-l16': image(mixer({ patch: 16, dim: 1024, depth: 24 }), 207, WITHOUT_HEAD),
  'mixer-h14': image(mixer({ patch: 14, dim: 1280, depth: 32 }), 431, WITHOUT_HEAD),

  'resmlp-s12': image(resmlp({ patch: 16, dim: 384, depth: 12 }), 15.4),
  'resmlp-s24': image(resmlp({ patch: 16, dim: 384, depth: 24 }), 30.0),
  'resmlp-s36': image(resmlp({ patch: 16, dim: 384, depth: 36 }), 45),
  'resmlp-b24': image(resmlp({ patch: 16, dim: 768, depth: 24 }), 115.7),
  'resmlp-b24-8': image(resmlp({ patch: 8, dim: 768, depth: 24 }), 129.1),
  'resmlp-s12-14': image(resmlp({ patch: 14, dim: 384, depth: 12 }), 15.6),
  'resmlp-s12-8': image(resmlp({ patch: 8, dim: 384, depth: 12 }), 22.1),

  ...repmlpNets('t', 224, 64, 6, [1, 4, 16, 128]),
  ...repmlpNets('t', 256, 64, 6, [1, 4, 16, 128]),
  ...repmlpNets('b', 224, 96, 12, [1, 4, 32, 128]),
  ...repmlpNets('b', 256, 96, 12, [1, 4, 32, 128]),
  ...repmlpNets('d', 256, 80, 18, [1, 4, 16, 128]),
  ...repmlpNets('l', 256, 96, 18, [1, 4, 32, 256]),

  'ffonly-ti16': image(ffOnly({ patch: 16, dim: 192, depth: 12 }), 7.7),
  'ffonly-b16': image(ffOnly({ patch: 16, dim: 768, depth: 12 }), 62),
  'ffonly-l32': image(ffOnly({ patch: 32, dim: 1024, depth: 24, positionGrid: [14, 14] }), 206),

  'eamlp-7': image(eamlp({ dim: 256, depth: 7, heads: 4, ffnRatio: 2 }), 6.1),
  'eamlp-14': image(eamlp({ dim: 384, depth: 14, heads: 6, ffnRatio: 3 }), 30),
  'eamlp-19': image(eamlp({ dim: 448, depth: 19, heads: 7, ffnRatio: 3 }), 55),

  'deit-ti16': image(vit({ patch: 16, dim: 192, depth: 12, heads: 3 }), 5.7),
  'deit-s16': image(vit({ patch: 16, dim: 384, depth: 12, heads: 6 }), 22),
  'deit-b16': image(vit({ patch: 16, dim: 768, depth: 12, heads: 12 }), 86),
  'vit-b32': image(vit({ patch: 32, dim: 768, depth: 12, heads: 12 }), 88),
  'vit-l16': image(vit({ patch: 16, dim: 1024, depth: 24, heads: 16 }), 307, 'published at 384 pixels, ours is at 224'),
  'vit-l32': image(vit({ patch: 32, dim: 1024, depth: 24, heads: 16 }), 306),

  'gmlp-text-18': text(gmlp({ ...deep, depth: 18 }), 128, 59),
  'gmlp-text-36': text(gmlp({ ...deep, depth: 36 }), 128, 102),
  'gmlp-text-72': text(gmlp({ ...deep, depth: 72 }), 128, 187),
  'gmlp-text-144': text(gmlp({ ...deep, depth: 144 }), 128, 357),
  'gmlp-text-base': text(gmlp({ ...deep, depth: 48 }), 512, 130),
  'gmlp-text-large': text(gmlp({ dim: 768, ffn: 3072, depth: 96 }), 512, 365),
  'gmlp-text-xlarge': text(gmlp({ dim: 1024, ffn: 4096, depth: 144 }), 512, 941),
  'amlp-base': text(amlp({ ...deep, depth: 36, attention: 64 }), 512, 109),
  'amlp-large': text(amlp({ dim: 768, ffn: 3072, depth: 72, attention: 128 }), 512, 316),

  'gmlp-text-linear': text(gmlp({ ...ungated, gate: 'linear' }), 128, 92, CAPTION),
  'gmlp-text-additive': text(gmlp({ ...ungated, gate: 'additive' }), 128, 92, CAPTION),
  'gmlp-text-multiplicative': text(gmlp({ ...ungated, gate: 'multiplicative' }), 128, 92, CAPTION),
  'gmlp-text-split': text(gmlp({ ...deep, depth: 36, gate: 'split' }), 128, 102),

  'bert-base': text(bert({ ...transformer, depth: 12, positions: 512 }), 512, 110),
  'bert-large': text(bert({ ...transformer, dim: 1024, ffn: 4096, heads: 16, depth: 24, positions: 512 }), 512, 336),
  'bert-relpos': text(bert(relative), 128, 110, TABLES),
  'bert-relpos-noattn': text(bert({ ...relative, contentAttention: false }), 128, 96, TABLES),
  'transformer-6+6': text(bert({ ...transformer, depth: 6 }), 128, 67),
  'transformer-12+12': text(bert({ ...transformer, depth: 12 }), 128, 110),
  'transformer-24+24': text(bert({ ...transformer, depth: 24 }), 128, 195),
  'transformer-48+48': text(bert({ ...transformer, depth: 48 }), 128, 365),
  'transformer-24x512': text(bert(thin(512, 24, 8)), 128, 92),
  'transformer-48x384': text(bert(thin(384, 48, 12)), 128, 98),
  'transformer-96x256': text(bert(thin(256, 96, 8)), 128, 84),

  resnet20: { block: resnet, modality: 'image', input: [32, 32, 3], outputs: 10, published: 0.27 },
}
