import {
  activate,
  add,
  batchNorm,
  block,
  dense,
  depthwiseConv2d,
  dropout,
  mean,
  mul,
  type Patch,
  patchEmbed,
  relu,
  reshape,
  residual,
  scope,
  sidesOf,
  sigmoid,
  tokenDense,
  torchDefault,
  windows,
} from '../nn/index.ts'

const weight = torchDefault
const kernelAxes = 2 // its linear layers are convolutions with kernel 1

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

export const repmlpDefaults: RepmlpOptions = {
  partition: 'map',
  shareSets: 1,
  reparam: [1, 3],
  reduce: 4,
  folded: false,
}

/**
 * RepMLP block, Ding et al. 2021 (arXiv 2112.11081, section 3), with the names of its authors' code. Tokens that are no grid
 * of patches are a map of one row.
 */
export const repmlp = block(
  'repmlp',
  repmlpDefaults,
  (x, { dim, ffn, tokens, grid, activation, dropout: rates, ...options }) => {
    const { partition, shareSets, reparam, reduce, folded } = options
    const map = grid ?? ([1, tokens] as [number, number]) // x is [batch, tokens, dim], tokens row by row
    const sides = partition === 'map' ? map : sidesOf(partition)
    const perSet = (y: typeof x, name: string) => reshape(batchNorm(reshape(y, [-1, shareSets]), { name }), y.shape)
    const mixed = (pixels: typeof x) => {
      // pixels is [batch * partitions, tokens of one, dim]
      const own = { sets: shareSets, grid: sides, weight }
      const fc3 = tokenDense(pixels, { ...own, name: 'fc3', bias: folded && torchDefault, kernelAxes })
      if (folded) return fc3
      let y = perSet(fc3, 'fc3_bn')
      for (const kernel of reparam) {
        const local = () => perSet(depthwiseConv2d(pixels, { ...own, name: 'conv', kernel }), 'bn')
        y = add(y, scope('repconv', `repconv${kernel}`, local))
      }
      return y
    }
    let y = batchNorm(x, { name: 'prebn1' })
    y = scope('repmlp_block', 'repmlp_block', () => {
      const gate = scope('gp', 'gp', () => {
        const hidden = Math.max(1, Math.floor(dim / reduce))
        const z = relu(dense(mean(y, 1), hidden, { name: 'fc1', weight, bias: torchDefault, kernelAxes }))
        return sigmoid(dense(z, dim, { name: 'fc2', weight, bias: torchDefault, kernelAxes })) // [batch, dim]
      })
      const mixing = partition === 'map' ? mixed(y) : windows(y, partition, mixed, { grid: map })
      return mul(mixing, reshape(gate, [-1, 1, dim]))
    })
    x = residual(x, y)
    y = batchNorm(x, { name: 'prebn2' })
    y = scope('ffn_block', 'ffn_block', () => {
      const pointwise = (z: typeof x, units: number, name: string) =>
        scope('conv_bn', name, () =>
          batchNorm(dense(z, units, { name: 'conv', weight, bias: false, kernelAxes }), { name: 'bn' }),
        )
      const hidden = dropout(activate(pointwise(y, ffn, 'ffn_fc1'), activation), rates.activation)
      return dropout(pointwise(hidden, dim, 'ffn_fc2'), rates.hidden)
    })
    return residual(x, y)
  },
  {
    image: {
      stem: (images, { patch, dim }) =>
        scope('conv_embedding', 'conv_embedding', () =>
          relu(batchNorm(patchEmbed(images, patch, dim, { name: 'conv', weight, bias: false }), { name: 'bn' })),
        ),
      head: (x, { dropout: rates }, classes) => {
        const y = dropout(mean(batchNorm(x, { name: 'head_norm' }), 1), rates.head) // [batch, dim]
        return dense(y, classes, { name: 'head', weight, bias: torchDefault })
      },
      path: (_, { stage, index }) => `stages.${stage}.${index}`,
      mergePath: (stage) => `embeds.${stage - 1}`,
    },
  },
)
