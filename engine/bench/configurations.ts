import { amlp, gmlp, mixer, resnet, vit } from '../models/index.ts'
import type { Block, Modality } from '../nn/types.ts'

/** A fixed model whose training step is timed. */
export interface Configuration {
  name: string
  block: Block
  modality: Modality
  /** Shape of an example. */
  input: readonly number[]
  /** Classes, or size of the vocabulary. */
  outputs: number
  batch: number
}

const image = { modality: 'image', input: [32, 32, 3], outputs: 10 } as const // 64 tokens
const long = { ...image, input: [128, 128, 3] } as const // 1,024 tokens
const text = { modality: 'text', input: [128], outputs: 4096 } as const
const small = { patch: 4, dim: 64, ffn: 256, depth: 4 }
const large = { patch: 4, dim: 128, ffn: 512, depth: 6 }
const wide = { patch: 4, dim: 512, ffn: 2048, depth: 6 }

/** They stay as they are, so that figures of different times can be compared. */
export const configurations: readonly Configuration[] = [
  { name: 'gmlp-128x6', ...image, block: gmlp(large), batch: 64 },
  { name: 'mixer-128x6', ...image, block: mixer(large), batch: 64 },
  { name: 'gmlp-64x4', ...image, block: gmlp(small), batch: 32 },
  { name: 'vit-128x6', ...image, block: vit({ ...large, heads: 4 }), batch: 64 },
  { name: 'gmlp-text-128x6', ...text, block: gmlp({ dim: 128, ffn: 512, depth: 6 }), batch: 32 },
  { name: 'resnet-20', ...image, block: resnet(), batch: 64 },
  { name: 'mixer-d512', ...image, block: mixer(wide), batch: 8 },
  { name: 'gmlp-d512', ...image, block: gmlp(wide), batch: 8 },
  { name: 'vit-1024', ...long, block: vit({ ...large, heads: 4 }), batch: 8 },
  { name: 'gmlp-1024', ...long, block: gmlp(large), batch: 8 },
  { name: 'amlp-text-128x6', ...text, block: amlp({ dim: 128, ffn: 512, depth: 6 }), batch: 32 },
  { name: 'gmlp-text-8192', ...text, outputs: 8192, block: gmlp({ dim: 128, ffn: 512, depth: 6 }), batch: 32 },
  { name: 'gmlp-64x4-batch-8', ...image, block: gmlp(small), batch: 8 },
]
