import type { Block } from '../nn/block.ts'
import type { ModelOptions } from '../nn/size.ts'
import { gmlp } from './gmlp.ts'
import { mixer } from './mixer.ts'

/** A size as published, for images of 224 x 224 x 3 and 1000 classes. */
export interface PublishedSize {
  block: Block
  size: ModelOptions
}

/** Name of a published size to its model. gMLP: paper, table 1. Mixer: paper, table 1. */
export const sizes: Record<string, PublishedSize> = {
  'gmlp-ti16': { block: gmlp, size: { patch: 16, dim: 128, depth: 30 } },
  'gmlp-s16': { block: gmlp, size: { patch: 16, dim: 256, depth: 30, dropPath: 0.05 } },
  'gmlp-b16': { block: gmlp, size: { patch: 16, dim: 512, depth: 30, dropPath: 0.2 } },
  'mixer-s32': { block: mixer, size: { patch: 32, dim: 512, depth: 8 } },
  'mixer-s16': { block: mixer, size: { patch: 16, dim: 512, depth: 8 } },
  'mixer-b32': { block: mixer, size: { patch: 32, dim: 768, depth: 12 } },
  'mixer-b16': { block: mixer, size: { patch: 16, dim: 768, depth: 12 } },
  'mixer-l32': { block: mixer, size: { patch: 32, dim: 1024, depth: 24 } },
  'mixer-l16': { block: mixer, size: { patch: 16, dim: 1024, depth: 24 } },
  'mixer-h14': { block: mixer, size: { patch: 14, dim: 1280, depth: 32 } },
}
