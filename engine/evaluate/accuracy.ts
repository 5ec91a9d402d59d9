import { metric } from './metric.ts'
import { topK } from './topK.ts'

/** The share of examples, or of their places, whose class has the largest logit: `[..., classes]` and int32 `[...]`. */
export const accuracy = metric('accuracy', { better: 'higher', unit: 'share', bounds: [0, 1] }, () =>
  topK('accuracy', 1),
)
