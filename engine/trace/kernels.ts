import type { Rules } from './rule.ts'
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
