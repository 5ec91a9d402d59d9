import { batchNorm, block, conv2d, type Patch, relu, reshape, torchDefault } from '../nn/index.ts'
import { repmlp, repmlpDefaults } from './repmlp.ts'

export interface RepmlpNetOptions extends Omit<typeof repmlpDefaults, 'partition' | 'shareSets'> {
  /** Channels of each stage. */
  channels: readonly number[]
  /** Blocks of each stage. */
  blocks: readonly number[]
  /** As those of a block, for each stage. */
  partition: readonly (Patch | 'map')[]
  shareSets: readonly number[]
}

const defaults: RepmlpNetOptions = {
  ...repmlpDefaults,
  channels: [32, 64],
  blocks: [2, 2],
  partition: ['map', 'map'],
  shareSets: [1, 4],
}

/** RepMLPNet, a pyramid of RepMLP blocks, Ding et al. 2021 (arXiv 2112.11081, section 4); names as in its authors' code. */
export const repmlpNet = block('repmlp_net', defaults, (x) => x, {
  ...repmlp.frames,
  stages: ({ channels, blocks, partition, shareSets, reparam, reduce, folded }) => {
    const longest = Math.max(...[channels, blocks, partition, shareSets].map(({ length }) => length))
    return Array.from({ length: longest }, (_, i) => ({
      block: repmlp({
        partition: partition[i],
        shareSets: shareSets[i],
        reparam,
        reduce,
        folded,
      } as typeof repmlpDefaults),
      depth: blocks[i],
      dim: channels[i],
      // each 2 x 2 tokens become one; those that are no grid of patches stay as many
      merge: (x, { dim, tokens, grid }) => {
        const [rows, columns] = grid ?? [1, tokens]
        const map = grid ? reshape(x, [-1, rows, columns, x.shape.at(-1) as number]) : x
        const side = grid ? 2 : 1
        const how = { name: 'conv', kernel: side, stride: side, padding: 0, weight: torchDefault }
        return relu(batchNorm(conv2d(map, dim, { ...how, grid: [rows, columns] }), { name: 'bn' }))
      },
    }))
  },
})
