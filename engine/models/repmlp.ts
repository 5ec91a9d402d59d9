import type { Tensor } from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import {
  activate,
  add,
  batchNorm,
  block,
  dense,
  depthwiseConv2d,
  dropout,
  einsum,
  type Frame,
  mean,
  mul,
  type Patch,
  parameter,
  patchEmbed,
  relu,
  reshape,
  residual,
  scope,
  sidesOf,
  sigmoid,
  torchDefault,
  transpose,
  windows,
} from '../nn/index.ts'

export interface RepmlpOptions {
  /** Rows and columns of a partition, within which pixels are mixed; `map` for all of the map. */
  partition: Patch | 'map'
  /** Matrices over pixels, and kernels: channel c has those of set c mod shareSets. */
  shareSets: number
  /** Sides of the kernels of the local perceptron; none for a block without it. */
  reparam: readonly number[]
  /** Channels for one hidden channel of the global perceptron. */
  reduce: number
  /** The form for inference: BatchNorm and convolutions merged into the matrices; see engine/weights/localityInjection.ts. */
  folded: boolean
}

export const repmlpDefaults: RepmlpOptions = { partition: 'map', shareSets: 1, reparam: [1, 3], reduce: 4, folded: false }

/** How a RepMLPNet begins and ends; names as in its authors' code. */
export const repmlpFrame: Frame = {
  stem: (images, { patch, dim }) =>
    scope('conv_embedding', 'conv_embedding', () => {
      const x = patchEmbed(images, patch, dim, { name: 'conv', weight: torchDefault, bias: false })
      return relu(batchNorm(x, { name: 'bn' })) // [batch, tokens, dim]
    }),
  head: (x, { dropout: rates }, classes) => {
    const y = dropout(mean(batchNorm(x, { name: 'head_norm' }), 1), rates.head) // [batch, dim]
    return dense(y, classes, { name: 'head', weight: torchDefault, bias: torchDefault })
  },
  path: (_, { stage, index }) => `stages.${stage}.${index}`,
  mergePath: (stage) => `embeds.${stage - 1}`,
}

/**
 * RepMLP block, Ding et al. 2021 (arXiv 2112.11081, section 3), as its authors' RepMLPNetUnit. Tokens that are no grid of
 * patches are a map of one row.
 */
export const repmlp = block(
  'repmlp',
  repmlpDefaults,
  (x, { dim, ffn, tokens, grid, activation, dropout: rates, ...options }) => {
    const map: [number, number] = grid ?? [1, tokens] // x is [batch, tokens, dim], tokens row by row
    let y = batchNorm(x, { name: 'prebn1' })
    y = scope('repmlp_block', 'repmlp_block', () => mul(spatial(y, map, options), globalPerceptron(y, options.reduce)))
    x = residual(x, y)
    y = batchNorm(x, { name: 'prebn2' })
    y = scope('ffn_block', 'ffn_block', () => {
      const hidden = activate(denseBatchNorm(y, ffn, 'ffn_fc1'), activation)
      return dropout(denseBatchNorm(dropout(hidden, rates.activation), dim, 'ffn_fc2'), rates.hidden)
    })
    return residual(x, y)
  },
  { image: repmlpFrame },
)

/** A convolution with kernel 1, and BatchNorm: `[batch, tokens, in]` to `[batch, tokens, units]`. */
export function denseBatchNorm(x: Tensor, units: number, name: string): Tensor {
  return scope('conv_bn', name, () => {
    const y = dense(x, units, { name: 'conv', weight: torchDefault, bias: false, kernelAxes: 2 })
    return batchNorm(y, { name: 'bn' })
  })
}

/** A gate for each channel, from the mean over all tokens: `[batch, tokens, dim]` to `[batch, 1, dim]`. */
function globalPerceptron(x: Tensor, reduce: number): Tensor {
  const dim = x.shape.at(-1) as number
  const own = { weight: torchDefault, bias: torchDefault, kernelAxes: 2 } as const
  return scope('gp', 'gp', () => {
    const hidden = relu(dense(mean(x, 1), Math.max(1, Math.floor(dim / reduce)), { name: 'fc1', ...own }))
    return reshape(sigmoid(dense(hidden, dim, { name: 'fc2', ...own })), [-1, 1, dim])
  })
}

/** Channel and local perceptron, which mix the pixels of each partition by itself: `[batch, tokens, dim]` to the same. */
function spatial(x: Tensor, map: [number, number], options: RepmlpOptions): Tensor {
  const { partition, shareSets, reparam } = options
  const dim = x.shape.at(-1) as number
  const sides = partition === 'map' ? map : sidesOf(partition)
  const fail = (option: string, what: string) => new MixlabError('option', `repmlp.${option}`, what)
  const [high, wide] = sides
  if (map[0] % high || map[1] % wide) {
    throw fail('partition', `${sides.join(' x ')} does not divide the map, ${map.join(' x ')}`)
  }
  if (dim % shareSets) throw fail('shareSets', `${shareSets} does not divide ${dim} channels`)
  const even = reparam.find((side) => side % 2 !== 1)
  if (even !== undefined) throw fail('reparam', `a kernel of ${even} x ${even}, expected an odd side`)
  const mix = (pixels: Tensor): Tensor => {
    const count = high * wide // pixels is [batch * partitions, count, dim]
    const apart = transpose(reshape(pixels, [-1, count, dim / shareSets, shareSets]), [0, 2, 1, 3])
    const y = setPerceptron(reshape(apart, [-1, count, shareSets]), sides, options) // [batch * partitions * dim / sets, count, sets]
    const together = transpose(reshape(y, [-1, dim / shareSets, count, shareSets]), [0, 2, 1, 3])
    return reshape(together, [-1, count, dim])
  }
  return partition === 'map' ? mix(x) : windows(x, [high, wide], mix, { grid: map })
}

/** The matrices and kernels of all share sets: `[maps, pixels, sets]` to the same. */
function setPerceptron(x: Tensor, [high, wide]: [number, number], { shareSets: sets, reparam, folded }: RepmlpOptions) {
  const count = high * wide
  const y = scope('fc3', 'fc3', () => {
    const fans = { in: count, out: count }
    const layout = { shape: [sets * count, count, 1, 1] }
    const own = { layout, fans, tokenGrid: [high, wide] as [number, number] }
    const product = einsum('bjs,sij->bis', x, parameter('weight', [sets, count, count], torchDefault, own))
    if (!folded) return product
    const bias = parameter('bias', [sets * count], torchDefault, { fans })
    return add(product, transpose(reshape(bias, [sets, count]), [1, 0]))
  })
  if (folded) return y
  const image = reshape(x, [-1, high, wide, sets])
  return reparam.reduce((sum, kernel) => {
    const local = scope('repconv', `repconv${kernel}`, () => {
      return batchNorm(depthwiseConv2d(image, { name: 'conv', kernel, weight: torchDefault }), { name: 'bn' })
    })
    return add(sum, reshape(local, [-1, count, sets]))
  }, batchNorm(y, { name: 'fc3_bn' }))
}
