import type { Tensor } from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { batchNorm, block, type Patch, patchEmbed, relu, reshape, torchDefault } from '../nn/index.ts'
import { denseBatchNorm, repmlp, repmlpDefaults, repmlpFrame } from './repmlp.ts'

export interface RepmlpNetOptions {
  /** Channels of each stage. */
  channels: readonly number[]
  /** Blocks of each stage. */
  blocks: readonly number[]
  /** As of the block, of each stage. */
  partition: readonly (Patch | 'map')[]
  shareSets: readonly number[]
  reparam: readonly number[]
  reduce: number
  folded: boolean
}

const { reparam, reduce, folded } = repmlpDefaults
const stages = { channels: [32, 64], blocks: [2, 2], partition: ['map', 'map'] as const, shareSets: [1, 4] }
const defaults: RepmlpNetOptions = { ...stages, reparam, reduce, folded }

/** RepMLPNet, a pyramid of RepMLP blocks, Ding et al. 2021 (arXiv 2112.11081, table 1); names as in its authors' code. */
export const repmlpNet = block(
  'repmlp_net',
  defaults,
  () => {
    throw new MixlabError('option', 'repmlpNet', 'is a whole model, and cannot be used inside of a block; repmlp can')
  },
  {
    image: repmlpFrame,
    stages: ({ channels, blocks, partition, shareSets, reparam, reduce, folded }) => {
      checkStages({ channels, blocks, partition, shareSets })
      return channels.map((dim, i) => {
        const own = { partition: partition[i] as Patch | 'map', shareSets: shareSets[i] as number }
        return { block: repmlp({ ...own, reparam, reduce, folded }), depth: blocks[i] as number, dim, merge }
      })
    },
  },
)

/** Throws MixlabError `option` unless every list has an entry for each stage. */
function checkStages(lists: Pick<RepmlpNetOptions, 'channels' | 'blocks' | 'partition' | 'shareSets'>): void {
  const { channels, blocks } = lists
  for (const [name, list] of Object.entries({ channels, blocks })) {
    const wrong = list.find((count) => !Number.isInteger(count) || count < 1)
    if (wrong === undefined && list.length > 0) continue
    throw new MixlabError('option', `repmlpNet.${name}`, `[${list}], expected a whole number of at least 1 for each stage`)
  }
  for (const [name, { length }] of Object.entries(lists)) {
    if (length === channels.length) continue
    throw new MixlabError('option', `repmlpNet.${name}`, `is of ${length} stages, but channels of ${channels.length}`)
  }
}

/** Each 2 x 2 tokens become one; tokens that are no grid of patches stay as many. */
function merge(x: Tensor, { dim, grid }: { dim: number; grid: [number, number] | null }): Tensor {
  if (!grid) return relu(denseBatchNorm(x, dim, ''))
  const [rows, columns] = grid
  if (rows % 2 || columns % 2) {
    throw new MixlabError('option', 'repmlpNet.channels', `no stage after a map of ${rows} x ${columns}, an odd side`)
  }
  const merged = patchEmbed(reshape(x, [-1, rows, columns, x.shape.at(-1) as number]), 2, dim, {
    name: 'conv',
    weight: torchDefault,
    bias: false,
  })
  return relu(batchNorm(merged, { name: 'bn' }))
}
