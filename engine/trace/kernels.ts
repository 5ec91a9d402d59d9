import { type Described, first, input, one, type Rules } from './rule.ts'
import { convolutions } from './rules/convolutions.ts'
import { creation } from './rules/creation.ts'
import { elementwise } from './rules/elementwise.ts'
import { images } from './rules/images.ts'
import { indexing } from './rules/indexing.ts'
import { products } from './rules/products.ts'
import { reductions } from './rules/reductions.ts'
import { shaping } from './rules/shaping.ts'
import { spectral } from './rules/spectral.ts'

/**
 * Kernel name to its rule. Without one, on purpose, are kernels whose shapes depend on values (Unique, Where,
 * NonMaxSuppression, ragged and sparse tensors) and those on strings.
 */
export const rules: Rules = {
  ...elementwise,
  ...reductions,
  ...products,
  ...convolutions,
  ...shaping,
  ...indexing,
  ...creation,
  ...images,
  ...spectral,
}

const floats = (shape: number[]): Described => ({ shape, dtype: 'float32' })

/** Those of the kernels that only some backends have. */
export const fusedRules: Rules = {
  Gelu: (inputs) => one(first(inputs).shape),
  GeluGrad: (inputs) => one(first(inputs).shape),
  LayerNorm: (inputs) => {
    const { shape } = first(inputs)
    return { output: [floats(shape), floats(shape), floats([...shape.slice(0, -1), 1])] }
  },
  LayerNormGrad: (inputs) => {
    const { shape } = first(inputs)
    const each = floats([shape.length > 1 ? (shape[0] as number) : 1, 1, shape.at(-1) ?? 1])
    return { output: [floats(shape), each, each] }
  },
  CrossEntropy: (inputs) => {
    const rows = floats(first(inputs).shape.slice(0, -1))
    return { output: [rows, rows] }
  },
  CrossEntropyGrad: (inputs) => one(input(inputs, 'logits').shape),
  LabelRank: (inputs) => one(first(inputs).shape.slice(0, -1)),
}
