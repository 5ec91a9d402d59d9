const FAMILIES = {
  gMLP: 'gmlp({ ffn: 96, ',
  aMLP: 'amlp({ ffn: 64, attention: 8, ',
  BERT: 'bert({ ffn: 64, heads: 2, positions: 32, ',
}
const DEPTHS = { S: 1, M: 2, L: 4 }

const sizes = Object.entries(FAMILIES).flatMap(([family, options]) =>
  Object.entries(DEPTHS).map(([size, depth]) => `'${family}-${size}': ${options}depth: ${depth} })`),
)

/** Studies of the figures of papers that no other study of the gallery has runs for: patches in another order, and text. */
export const PAPER_CELLS = `// %% orders
const letters = glyphs({ difficulty: 0.2, train: 2048, test: 256 })
export const orders = compare('orders', {
  task: image({ data: letters }),
  model: { patch: 7, dim: 24, depth: 2 },
  variants: factors(
    { model: { mixer, resnet: resnet({ width: 8, blocksPerStage: 1 }) }, order: ['plain', 'permuted'] },
    ({ model, order }) => ({
      block: model,
      task: image({ data: order === 'plain' ? letters : permuted(letters, { patch: 7 }) }),
    }),
  ),
  train: { steps: 120, batch: 32, evalEvery: 10, optimizer: adamw({ learningRate: 1e-2 }) },
  seeds: 2,
})

// %% text
const text = world({ difficulty: 0, train: 2000, test: 400 })
const reads = { tokens: 32, tokenizer: { corpus: text } }
const sizes = { model: { dim: 32 }, variants: { ${sizes.join(', ')} }, seeds: 2 }
export const words = compare('text', {
  task: mlm({ data: text, ...reads }),
  ...sizes,
  train: { steps: 200, batch: 32, evalEvery: 100, optimizer: adamw({ learningRate: 5e-3 }) },
})

// %% pairs
export const pairs = compare('pairs', {
  task: pair({ data: world({ difficulty: 0, train: 600, test: 400 }), pool: 'mean', ...reads }),
  ...sizes,
  from: words,
  train: { steps: 60, batch: 32, evalEvery: 30, optimizer: adamw({ learningRate: 3e-3 }) },
})
`
