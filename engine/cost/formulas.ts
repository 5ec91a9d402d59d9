/** Sizes of a model that its cost depends on. */
export interface CostSizes {
  tokens: number
  /** Channels of the residual stream. */
  width: number
  /** Blocks. */
  depth: number
}

/** The cost of a block by the formula of its paper, with the sizes that the paper gives it. */
export interface CostFormula {
  name: string
  /** With n tokens and width d. */
  formula: string
  /** Multiply-adds of a block forward, for one example. */
  macs(sizes: Omit<CostSizes, 'depth'>): number
}

/** Slots of the memories of external attention. */
export const SLOTS = 64

export const formulas: readonly CostFormula[] = [
  {
    name: 'gMLP', // Liu et al. 2021: hidden channels 6 d, half of them gated
    formula: '9 n d² + 3 n² d',
    macs: ({ tokens: n, width: d }) => 9 * n * d * d + 3 * n * n * d,
  },
  {
    name: 'MLP-Mixer', // Tolstikhin et al. 2021: hidden tokens d / 2, hidden channels 4 d
    formula: '9 n d²',
    macs: ({ tokens: n, width: d }) => 2 * n * d * Math.floor(d / 2) + 8 * n * d * d,
  },
  {
    name: 'ResMLP', // Touvron et al. 2021: one matrix over tokens, hidden channels 4 d
    formula: 'n² d + 8 n d²',
    macs: ({ tokens: n, width: d }) => n * n * d + 8 * n * d * d,
  },
  {
    name: 'Transformer', // Vaswani et al. 2017: q, k, v and the output, all pairs of tokens, hidden channels 4 d
    formula: '12 n d² + 2 n² d',
    macs: ({ tokens: n, width: d }) => 12 * n * d * d + 2 * n * n * d,
  },
  {
    name: 'external attention', // Guo et al. 2021: two memories between two dense layers
    formula: `2 n d² + ${2 * SLOTS} n d`,
    macs: ({ tokens: n, width: d }) => 2 * n * d * d + 2 * SLOTS * n * d,
  },
]
